/** The style sheet of the HTML report: light and dark, phone and paper. */
export const reportStyle = `
:root { color-scheme: light dark;
  --paper:#fff; --card:#f7f8fa; --ink:#17191c; --muted:#5a626d; --line:#dfe3e8; --link:#1d57b8;
  --reference:#1d57b8; --control:#8a5a00; --arm:#5b6572; --good:#13704a; --bad:#b3261e; --warn:#8a5a00;
  --series-1:#1d57b8; --series-2:#b3541e; --series-3:#13704a; --series-4:#7a3ea8; --series-5:#8a5a00; --series-6:#5b6572; }
@media (prefers-color-scheme: dark) { :root {
  --paper:#131518; --card:#1c1f24; --ink:#e8eaed; --muted:#a2abb6; --line:#343a42; --link:#8ab4f8;
  --reference:#8ab4f8; --control:#f0b85a; --arm:#a2abb6; --good:#6fcf97; --bad:#f28b82; --warn:#f0b85a;
  --series-1:#8ab4f8; --series-2:#f0a07a; --series-3:#6fcf97; --series-4:#c79bf0; --series-5:#f0b85a; --series-6:#a2abb6; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK KR", "Apple SD Gothic Neo", "Malgun Gothic", sans-serif; }
main, header, footer { max-width: 1000px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 36px; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.22rem; margin: 44px 0 8px; padding-top: 12px; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 24px 0 6px; }
p { margin: 8px 0; max-width: 72ch; } .lead { color: var(--muted); }
a { color: var(--link); } a.n { color: inherit; text-decoration: underline; text-decoration-color: var(--muted); text-decoration-thickness: 1px; text-underline-offset: 3px; }
a.n:hover, a.n:focus-visible { color: var(--link); text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.verdict { border: 1px solid var(--line); border-left: 6px solid var(--muted); background: var(--card); border-radius: 8px; padding: 14px 20px 16px; margin: 20px 0; }
.verdict.yes { border-left-color: var(--good); } .verdict.no { border-left-color: var(--bad); } .verdict.not_shown { border-left-color: var(--warn); }
.verdict .ask { color: var(--muted); font-size: .88rem; margin: 0; } .verdict strong { display: block; font-size: 1.15rem; line-height: 1.4; }
.verdict ul { margin: 10px 0 0; padding-left: 20px; } .verdict li { margin: 4px 0; max-width: 80ch; }
dl.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(128px, 1fr)); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; margin: 20px 0; }
dl.facts div { padding: 10px 14px; box-shadow: 0 0 0 .5px var(--line); } dl.facts dt { color: var(--muted); font-size: .8rem; } dl.facts dd { margin: 0; font-size: 1.08rem; font-variant-numeric: tabular-nums; }
nav.toc { display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: .9rem; margin: 12px 0 0; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; margin: 12px 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums; }
.caption { color: var(--muted); font-size: .88rem; margin: 18px 0 -6px; }
th, td { padding: 7px 12px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--card); position: sticky; top: 0; } tbody th { font-weight: 600; min-width: 110px; }
.num { text-align: right; white-space: nowrap; }
thead button { all: unset; cursor: pointer; font-weight: 600; color: var(--muted); font-size: .82rem; } thead button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
th[aria-sort] button { color: var(--ink); } th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
.sub { color: var(--muted); font-size: .84rem; font-weight: 400; } td .sub, th .sub { display: block; white-space: normal; } .num .sub { white-space: nowrap; }
.nowrap { white-space: nowrap; } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.tag { display: inline-block; font-size: .74rem; font-weight: 600; border: 1px solid currentColor; border-radius: 99px; padding: 0 8px; margin-left: 6px; white-space: nowrap; }
.tag.reference { color: var(--reference); } .tag.control { color: var(--control); } .tag.arm { color: var(--arm); }
figure { margin: 16px 0; } figcaption { color: var(--muted); font-size: .88rem; max-width: 80ch; } .picture svg { display: block; width: 100%; height: auto; overflow: visible; } .picture.narrow { display: none; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; } .pair .picture.wide { display: none; } .pair .picture.narrow { display: block; max-width: 460px; }
.notice { border: 1px solid var(--line); border-left: 4px solid var(--warn); border-radius: 6px; padding: 8px 14px; margin: 10px 0; } .notice.level-high { border-left-color: var(--bad); } .notice p { margin: 2px 0; }
details { margin: 12px 0; } summary { cursor: pointer; color: var(--link); } code, .mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; overflow-wrap: anywhere; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px 14px; overflow-x: auto; font-size: .86rem; }
footer { color: var(--muted); font-size: .86rem; padding-bottom: 48px; margin-top: 48px; }
#runs-list .bar { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: baseline; } #runs-list button.more { font: inherit; padding: 6px 14px; border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: var(--ink); cursor: pointer; }
@media (max-width: 720px) { main, header, footer { padding: 0 16px; } header { padding-top: 20px; } h1 { font-size: 1.35rem; } .verdict { padding: 12px 14px; }
  .picture.wide { display: none; } .picture.narrow { display: block; } .pair { display: block; } th, td { padding: 6px 9px; } dl.facts { grid-template-columns: repeat(2, 1fr); } tbody th { min-width: 116px; } .tag { display: block; width: max-content; margin: 2px 0 0; } }
@media print { :root { color-scheme: light; --paper:#fff; --card:#fff; --ink:#000; --muted:#444; --line:#bbb; --link:#000; --reference:#1d57b8; --control:#8a5a00; --arm:#5b6572; --good:#13704a; --bad:#b3261e; --warn:#8a5a00;
    --series-1:#1d57b8; --series-2:#b3541e; --series-3:#13704a; --series-4:#7a3ea8; --series-5:#8a5a00; --series-6:#5b6572; }
  body { font-size: 10.5pt; } main, header, footer { max-width: none; padding: 0; } h2 { margin-top: 20px; } h2, h3 { break-after: avoid; } figure, .verdict, tr, .notice { break-inside: avoid; }
  nav.toc, #runs-list { display: none; } .scroll { overflow: visible; border: 0; } table { font-size: 8.5pt; } th, td { padding: 3px 6px; } thead th { position: static; } a, a.n { color: inherit; text-decoration: none; } .picture.wide { display: block; max-width: 640px; } .picture.narrow { display: none; } .pair .picture.narrow { display: block; } .pair .picture.wide { display: none; } }
`;
