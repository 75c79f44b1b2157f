import './style.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { ToastProvider } from './components/toast'
import { queryClient } from './lib/query-client'
import { applyTheme } from './lib/theme'

applyTheme()
// Dialogs add a style while they are open. The server allows it by this nonce.
setNonce(document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '')

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <App />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)
