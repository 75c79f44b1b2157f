/** The style of the server's own pages, for light and dark mode, desktop and phone. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1b1f24; --faint: #5b6570; --line: #dfe3e8; --soft: #f5f7f9; --accent: #0b5cad;
  --get: #0a6b3d; --post: #0b5cad; --put: #7a4d00; --patch: #7a4d00; --delete: #a1232b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171b; --ink: #e4e8ec; --faint: #9aa5b1; --line: #2c333b; --soft: #1c2127; --accent: #7ab8ff;
    --get: #5fd39a; --post: #7ab8ff; --put: #e5b566; --patch: #e5b566; --delete: #ff8f96;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font: 0.86em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: 0; padding: 0.8rem 1rem; overflow-x: auto; background: var(--soft); border-radius: 6px; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.35rem; margin: 3.5rem 0 0.2rem; padding-bottom: 0.4rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: 0.8rem; margin: 1.2rem 0 0.4rem; color: var(--faint); }
p { margin: 0.5rem 0; }
.faint { color: var(--faint); }
.layout { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 2rem 1.5rem; border-right: 1px solid var(--line); font-size: 0.88rem; }
nav strong { display: block; margin: 1.1rem 0 0.2rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 0.12rem 0; color: var(--faint); }
nav li a:hover { color: var(--accent); }
main { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 66rem; }
article { padding: 1.6rem 0 0.6rem; border-bottom: 1px solid var(--line); scroll-margin-top: 0; }
article:last-child { border-bottom: 0; }
.route { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: baseline; margin: 0.25rem 0 0; overflow-wrap: anywhere; }
.method { font: 700 0.78rem ui-monospace, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.callers { font-size: 0.8rem; color: var(--faint); border: 1px solid var(--line); border-radius: 99px; padding: 0 0.6rem; white-space: nowrap; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.88rem; }
th { text-align: left; font-weight: 600; color: var(--faint); }
th, td { padding: 0.4rem 0.9rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child td { border-bottom: 0; }
td:first-child { white-space: nowrap; }
td small { color: var(--faint); font-size: inherit; }
td .must { color: var(--delete); font-size: 0.78rem; margin-left: 0.4rem; }
.variant td { padding-top: 1rem; color: var(--faint); }
details { margin: 0.6rem 0; }
summary { cursor: pointer; color: var(--faint); font-size: 0.88rem; }
details > :not(summary) { margin-top: 0.5rem; }
.landing { max-width: 44rem; margin: 0 auto; padding: 12vh 1.2rem 4rem; }
.landing dt { margin-top: 0.9rem; font-weight: 600; }
.landing dd { margin: 0; color: var(--faint); }
@media (max-width: 52rem) {
  .layout { display: block; }
  nav { position: static; height: auto; padding: 1rem; border: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: none; }
  nav strong { display: inline-block; margin: 0.2rem 0.9rem 0.2rem 0; }
  .fields thead { display: none; }
  .fields tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  .fields td { display: block; border: 0; padding: 0.05rem 0; white-space: normal; }
  .fields td:empty { display: none; }
}
`
