import { Component, type ReactNode } from 'react'
import { ErrorState } from './states'

interface Props {
  readonly children: ReactNode
}

/** Keeps a failure of one page from taking the whole console down. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === null) return this.props.children
    return <ErrorState error={this.state.error} onRetry={() => this.setState({ error: null })} />
  }
}
