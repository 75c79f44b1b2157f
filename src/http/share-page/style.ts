/** The style of the share page, on top of that of all pages. */
export const SHARE_STYLE = `
:root { --surface: #ffffff; --mark: #ffe9a8; --warn: #7a4c00; --field: #85888f; --on-accent: #ffffff; --shadow: 0 1px 2px #1c1e2212; }
@media (prefers-color-scheme: dark) { :root { --surface: #1c1f25; --mark: #5c4a12; --warn: #f0c470; --field: #7c838f; --on-accent: #0d1a20; --shadow: 0 1px 2px #00000040; } }
.top { position: sticky; top: 0; z-index: 3; border-bottom: 1px solid var(--line); background: var(--surface); }
.top > div { max-width: 58rem; min-height: 3.5rem; margin: 0 auto; padding: 0.5rem 1.25rem; display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.brand { margin: 0 auto 0 0; font-weight: 650; font-size: 1.05rem; display: flex; align-items: center; gap: 0.5rem; }
.brand .mark { width: 1.35rem; height: 1.35rem; border-radius: 50%; border: 2px solid var(--accent); background: linear-gradient(90deg, var(--accent) 50%, transparent 50%); }
#session { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.until, .until p { margin: 0; font-size: 0.875rem; color: var(--faint); }
#session > .until { margin-right: 0.5rem; }
#screen { max-width: 58rem; min-height: 70vh; margin: 0 auto; padding: 2rem 1.25rem 5rem; }
#screen h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.01em; margin-bottom: 1rem; }
#screen h2 { font-size: 1.1rem; line-height: 1.35; margin: 0 0 0.75rem; padding: 0; border: 0; }
#screen .row + h2 { margin-top: 1rem; }
:is(h1, h2):focus { outline: none; }
.card, .corpora, .item, .document, .log { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); }
.card { max-width: 27rem; margin: 7vh auto 0; padding: 1.75rem; }
.card form { margin-top: 1.25rem; }
label { display: block; font-weight: 600; font-size: 0.925rem; margin-bottom: 0.3rem; }
input, select, button { font: inherit; color: inherit; border: 1px solid var(--field); border-radius: 6px; background: var(--surface); min-height: 2.5rem; }
input { width: 100%; padding: 0.45rem 0.7rem; }
select { padding: 0.4rem; max-width: 12rem; }
button { padding: 0 0.95rem; font-weight: 550; cursor: pointer; }
button:hover { background: var(--soft); }
button:disabled { opacity: 0.55; cursor: default; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.plain, button.link, button.title { background: none; border: 0; padding: 0; min-height: 0; color: var(--accent); text-align: left; }
button.plain, .about button { min-height: 1.75rem; font-weight: 400; }
:is(button.link, button.title) { text-decoration: underline; text-underline-offset: 0.15em; }
button.plain:hover { text-decoration: underline; }
button.title { font: inherit; }
:is(input, select, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.problem { min-height: 3.1em; margin: 0.4rem 0 0.2rem; font-size: 0.925rem; color: var(--delete); }
.row { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: center; justify-content: space-between; }
.waiting { height: 3px; margin-top: 1.5rem; border-radius: 2px; background: linear-gradient(90deg, var(--line), var(--accent), var(--line)) 0 0 / 200% 100%; }
.corpora { margin: 0; padding: 0 1.25rem; }
.corpus { padding: 1rem 0; border-bottom: 1px solid var(--line); display: grid; grid-template-columns: 14rem 1fr; column-gap: 1.5rem; }
.corpus:last-child { border-bottom: 0; }
#screen .corpus h2 { margin: 0; overflow-wrap: anywhere; }
.corpus p { margin: 0; font-size: 0.925rem; overflow-wrap: anywhere; }
#screen:is([data-view='document'], [data-view='log'], [data-view='changes']) > :is(h1, .corpora, h1 ~ .faint) { display: none; }
#screen:is([data-view='document'], [data-view='log'], [data-view='changes']) > .search { margin-top: 0; }
.drift { color: var(--warn); }
.search { margin: 1.5rem 0; }
.box { display: flex; gap: 0.5rem; }
.box :is(input, button) { min-height: 3rem; }
.combo { position: relative; flex: 1; min-width: 0; }
#completions { position: absolute; z-index: 1; inset: calc(100% + 4px) 0 auto; margin: 0; padding: 0.25rem; list-style: none; background: var(--surface); border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 12px 40px rgb(0 0 0 / 0.2); }
#completions li { padding: 0.5rem 0.75rem; border-radius: 4px; cursor: pointer; overflow-wrap: anywhere; }
#completions li:is(:hover, [aria-selected='true']) { background: var(--soft); color: var(--accent); }
.content { min-height: 40vh; }
[aria-busy='true'] { opacity: 0.6; }
.items { list-style: none; margin: 0; padding: 0; display: flex; flex-direction: column; gap: 0.75rem; }
.item { padding: 1rem 1.25rem; }
.item { position: relative; }
.choose { position: absolute; inset: 1.1rem 1.1rem auto auto; width: 1.15rem; min-height: 0; height: 1.15rem; accent-color: var(--accent); }
.item:has(.choose) h3 { padding-right: 2rem; }
.chosen { position: sticky; z-index: 2; top: 4rem; justify-content: flex-end; margin-bottom: 0.75rem; }
.chosen[hidden] { display: none; }
.chosen button { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.item h3 { font-size: 1rem; overflow-wrap: anywhere; }
.passage { margin: 0.4rem 0 0; overflow-wrap: anywhere; }
.about { display: flex; flex-wrap: wrap; gap: 0.25rem 0.5rem; align-items: center; margin: 0.5rem 0 0; font-size: 0.875rem; color: var(--faint); }
.about > span { padding: 0.05rem 0.5rem; border-radius: 1rem; font-size: 0.8rem; font-weight: 600; background: var(--soft); }
.about > button { margin-left: auto; }
mark { background: var(--mark); color: inherit; border-radius: 3px; padding: 0 0.1em; }
.document { margin-top: 1rem; padding: 1.5rem; }
#screen .document h2 { font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
.document dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 44%), 1fr)); gap: 0.75rem 1.25rem; margin: 1rem 0 1.5rem; padding: 1rem 1.1rem; background: var(--soft); border-radius: 6px; font-size: 0.925rem; }
dt { color: var(--faint); font-size: 0.8rem; }
dt::first-letter { text-transform: uppercase; }
dd { margin: 0; overflow-wrap: anywhere; }
.text { max-width: 42rem; font-size: 1.05rem; line-height: 1.7; white-space: pre-wrap; overflow-wrap: anywhere; }
.log { list-style: none; margin: 0; padding: 0 1.25rem; }
.log li { display: grid; grid-template-columns: 12rem 11rem 1fr; gap: 0 1rem; padding: 0.6rem 0; border-top: 1px solid var(--line); font-size: 0.925rem; overflow-wrap: anywhere; }
.log > li:first-child { border-top: 0; }
.log time, .log ul { color: var(--faint); }
.log ul { list-style: none; margin: 0; padding: 0; }
#screen .log ul li { display: block; padding: 0; border: 0; }
.top button { min-height: 2.25rem; padding: 0 0.7rem; font-size: 0.925rem; }
#notice { position: fixed; z-index: 4; inset: auto 0 1rem; margin: auto; width: fit-content; max-width: calc(100% - 2rem); }
#notice:not(:empty) { display: flex; gap: 1.25rem; align-items: center; padding: 0.75rem 1.1rem; background: var(--ink); color: var(--paper); border-radius: 6px; }
#notice button { color: inherit; font-weight: 600; }
#status { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) {
  .waiting { animation: waiting 2.4s linear infinite; }
  @keyframes waiting { to { background-position: -200% 0; } }
}
@media (max-width: 40rem) {
  .top { position: static; }
  #screen { padding: 1.25rem 1rem 4rem; }
  .card { margin-top: 1rem; padding: 1.25rem; }
  .corpora, .item, .document, .log { padding-inline: 1rem; }
  .corpus { display: block; }
  .corpus > div + div { margin-top: 0.4rem; }
  .box { flex-wrap: wrap; }
  .combo { flex-basis: 100%; }
  .box > button { flex: 1; }
  .log li, .log.sent li { grid-template-columns: 1fr; }
  .refused { grid-column: auto; }
  #session > .until { flex-basis: 100%; }
}
.pages:not(:empty) { margin: 1rem 0; }
.page { display: block; width: 100%; max-width: 820px; min-height: 12rem; margin: 0 auto 1rem; border: 1px solid var(--line); background: #fff; }
.agreement { max-height: 18rem; overflow: auto; margin: 1rem 0; padding: 0.9rem 1.1rem; background: var(--soft); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.send { max-width: 34rem; margin-bottom: 2rem; }
.send input[type='file'] { padding: 1.5rem 1rem; border-style: dashed; }
.asked { max-width: 42rem; margin: 0 0 1.5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.asked:empty { display: none; }
.sent:empty { display: none; }
.log.sent li { grid-template-columns: 1fr 1fr 12rem; }
.log.sent ul { grid-column: 1 / -1; }
.refused { color: var(--delete); grid-column: 2 / -1; }
.send input { margin-bottom: 0.9rem; }
`
