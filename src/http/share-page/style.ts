/** The style of the share page, on top of that of all pages. */
export const SHARE_STYLE = `
:root { --serif: Georgia, 'Times New Roman', 'Noto Serif', serif; --mark: #fdf0b8; --warn: #7a4d00; scrollbar-gutter: stable; }
@media (prefers-color-scheme: dark) { :root { --mark: #5c4a00; --warn: #e5b566; } }
.top { border-bottom: 1px solid var(--line); background: var(--soft); }
.top > div { max-width: 56rem; min-height: 3.5rem; margin: 0 auto; padding: 0.5rem 1.25rem; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.brand { margin: 0 auto 0 0; font: 600 1.05rem var(--serif); }
#session { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.until, .until p { margin: 0; font-size: 0.85rem; color: var(--faint); }
#session > .until { margin-right: 0.5rem; }
#screen { max-width: 56rem; min-height: 70vh; margin: 0 auto; padding: 2.25rem 1.25rem 5rem; }
#screen h1 { font: 600 1.75rem/1.25 var(--serif); }
#screen h2 { font: 600 1.25rem/1.3 var(--serif); margin: 0 0 0.6rem; padding: 0; border: 0; }
#screen .row + h2 { margin-top: 1rem; }
:is(h1, h2):focus { outline: none; }
.card { max-width: 27rem; margin: 7vh auto 0; padding: 2rem; border: 1px solid var(--line); border-radius: 8px; }
.card h1 { margin-bottom: 0.75rem; }
.card form { margin-top: 1.25rem; }
label { display: block; font-weight: 600; font-size: 0.92rem; margin-bottom: 0.3rem; }
input, select, button { font: inherit; color: inherit; border: 1px solid var(--field); border-radius: 5px; background: var(--paper); min-height: 2.6rem; }
:root { --field: #868f99; }
input { width: 100%; padding: 0.4rem 0.7rem; }
select { padding: 0.4rem; max-width: 12rem; }
button { padding: 0.3rem 0.9rem; cursor: pointer; border-color: var(--line); }
button:hover { border-color: var(--accent); }
button:disabled { opacity: 0.6; cursor: default; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
button.plain, button.link, button.title { background: none; border: 0; padding: 0; min-height: 0; color: var(--accent); text-align: left; }
button.plain, .about button { min-height: 1.6rem; }
:is(button.plain, button.link, button.title):hover { text-decoration: underline; }
button.title { font: inherit; }
:is(input, select, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.problem { min-height: 3.1em; margin: 0.4rem 0 0.2rem; font-size: 0.92rem; color: var(--delete); }
.row { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; justify-content: space-between; }
.waiting { height: 3px; margin-top: 1.5rem; border-radius: 2px; background: linear-gradient(90deg, var(--line), var(--accent), var(--line)) 0 0 / 200% 100%; }
.corpora { margin: 1.25rem 0; border-top: 1px solid var(--line); }
.corpus { padding: 0.9rem 0; border-bottom: 1px solid var(--line); display: grid; grid-template-columns: 14rem 1fr; column-gap: 1.5rem; }
#screen .corpus h2 { margin: 0; font-size: 1.1rem; overflow-wrap: anywhere; }
.corpus p { margin: 0; font-size: 0.9rem; overflow-wrap: anywhere; }
#screen:is([data-view='document'], [data-view='log'], [data-view='changes']) > :is(h1, .corpora, h1 ~ .faint) { display: none; }
#screen:is([data-view='document'], [data-view='log'], [data-view='changes']) > .search { margin-top: 0; }
.drift { color: var(--warn); }
.search { margin: 1.75rem 0 2rem; }
.box { display: flex; gap: 0.5rem; }
.combo { position: relative; flex: 1; min-width: 0; }
#completions { position: absolute; z-index: 1; inset: calc(100% + 2px) 0 auto; margin: 0; padding: 0.25rem; list-style: none; background: var(--paper); border: 1px solid var(--line); border-radius: 5px; box-shadow: 0 6px 20px rgb(0 0 0 / 0.15); }
#completions li { padding: 0.35rem 0.5rem; border-radius: 3px; cursor: pointer; overflow-wrap: anywhere; }
#completions li:is(:hover, [aria-selected='true']) { background: var(--soft); color: var(--accent); }
.content { min-height: 40vh; }
[aria-busy='true'] { opacity: 0.6; }
.items, .log { list-style: none; margin: 0; padding: 0; }
.item { padding: 1rem 0; border-top: 1px solid var(--line); }
.item h3 { font: 600 1.08rem/1.35 var(--serif); overflow-wrap: anywhere; }
.passage { margin: 0.3rem 0 0; overflow-wrap: anywhere; }
.about { display: flex; flex-wrap: wrap; gap: 0 0.9rem; align-items: center; margin: 0.3rem 0 0; font-size: 0.85rem; color: var(--faint); }
mark { background: var(--mark); color: inherit; border-radius: 2px; padding: 0 0.1em; }
.document { margin-top: 1.25rem; padding: 0; border: 0; }
#screen .document h2 { font-size: 1.5rem; overflow-wrap: anywhere; }
.document dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 44%), 1fr)); gap: 0.75rem 1.25rem; margin: 1rem 0 1.5rem; padding: 1rem 1.1rem; background: var(--soft); border-radius: 6px; font-size: 0.9rem; }
dt { color: var(--faint); font-size: 0.8rem; }
dt::first-letter { text-transform: uppercase; }
dd { margin: 0; overflow-wrap: anywhere; }
.text { max-width: 42rem; font: 1.06rem/1.7 var(--serif); white-space: pre-wrap; overflow-wrap: anywhere; }
.log li { display: grid; grid-template-columns: 12rem 11rem 1fr; gap: 0 1rem; padding: 0.5rem 0; border-top: 1px solid var(--line); font-size: 0.92rem; overflow-wrap: anywhere; }
.log time, .log ul { color: var(--faint); }
.log ul { list-style: none; margin: 0; padding: 0; }
#screen .log ul li { display: block; padding: 0; border: 0; }
.top button { min-height: 2.2rem; padding: 0.1rem 0.7rem; font-size: 0.92rem; }
#notice { position: fixed; z-index: 2; inset: auto 0 1rem; margin: auto; width: fit-content; max-width: calc(100% - 2rem); }
#notice:not(:empty) { display: flex; gap: 1.25rem; align-items: center; padding: 0.6rem 1.1rem; background: var(--ink); color: var(--paper); border-radius: 6px; }
#notice button { color: inherit; font-weight: 600; }
#status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-color-scheme: dark) { :root { --field: #6f7a86; } }
@media (prefers-reduced-motion: no-preference) {
  .waiting { animation: waiting 2.4s linear infinite; }
  @keyframes waiting { to { background-position: -200% 0; } }
}
@media (max-width: 40rem) {
  #screen { padding-top: 1.5rem; }
  .card { margin-top: 1rem; padding: 1.25rem; }
  .corpus { display: block; }
  .corpus > div + div { margin-top: 0.4rem; }
  .box { flex-wrap: wrap; }
  .combo { flex-basis: 100%; }
  .box > button { flex: 1; }
  .log li { grid-template-columns: 1fr; }
  #session > .until { flex-basis: 100%; }
  .top button { padding: 0.1rem 0.55rem; font-size: 0.85rem; }
}
`
