/**
 * The style of the server's own pages, for light and dark mode, desktop and phone. Its colours are those of the console
 * (`web/src/style.css`), so that whoever comes by a link meets the same face.
 */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #faf9f7; --ink: #1c1e22; --faint: #5a606b; --line: #e2dfd8; --soft: #f2f0ec; --accent: #1f5f7a; --delete: #a4262c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --ink: #e9e7e2; --faint: #a5abb6; --line: #2f343d; --soft: #1c1f25; --accent: #86c1da; --delete: #ff9a94;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 ui-sans-serif, system-ui, sans-serif; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: 0.86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.35rem; margin: 3.5rem 0 0.2rem; }
h3 { font-size: 1.05rem; margin: 0; }
p { margin: 0.5rem 0; }
.faint { color: var(--faint); }
.landing { max-width: 44rem; margin: 0 auto; padding: 12vh 1.2rem 4rem; }
`
