const lightColours =
  "--bg:#f7f6f3;--card:#fff;--inner:#faf9f7;--ink:#1d1f23;--soft:#575f6b;--line:#dedbd4;--good:#0f6138;--bad:#a3201a;--warn:#754c00;--accent:#2a569b;--good-bg:#e2f4e9;--bad-bg:#fbe6e4;--warn-bg:#fdf0d6;--neutral-bg:#e9edf4;--series-2:#a44712;--series-4:#7a3ea8";
const darkColours =
  "--bg:#141619;--card:#1d2025;--inner:#23272d;--ink:#e8e6e1;--soft:#a7aeb9;--line:#363b44;--good:#7ad6a4;--bad:#f49a93;--warn:#e9bd66;--accent:#93b9f3;--good-bg:#17352a;--bad-bg:#41211f;--warn-bg:#3b2f15;--neutral-bg:#2a313c;--series-2:#f0a07a;--series-4:#c79bf0";

/** The frame of every page: light and dark, phone and paper, no outside resource. */
export const pageStyle = `
:root{color-scheme:light dark;${lightColours}}
@media (prefers-color-scheme:dark){:root{${darkColours}}}
*{box-sizing:border-box}html{scroll-behavior:smooth;scroll-padding-top:12px}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans KR","Apple SD Gothic Neo","Malgun Gothic",sans-serif;overflow-wrap:anywhere;word-break:keep-all}
.top,.frame,footer{max-width:1240px;margin:0 auto;padding:0 20px}.top{padding-top:24px}footer{padding-bottom:48px;margin-top:20px}
.frame{display:grid;grid-template-columns:minmax(0,1fr);gap:0 28px}main{min-width:0}
.skip{position:absolute;left:-9999px}.skip:focus{left:12px;top:8px;background:var(--card);padding:.3em .8em}
h1{font-size:1.6rem;line-height:1.25;margin:.1em 0 .4em}h1.long{font-size:1.2rem;line-height:1.4}h2{font-size:1.12rem;margin:0 0 .7em}h3,h4,h5,h6{font-size:1rem;margin:0}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:0 0 16px}
a{color:var(--accent)}a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.eyebrow,.soft,.subtitle,.note,.legend,.links,footer{color:var(--soft);font-size:.86rem}.eyebrow{margin:0}.note{max-width:80ch;margin:.2em 0 .8em}
nav{font-size:.88rem;margin:6px 0 14px}nav ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.2em 1em}nav a{text-decoration:none;display:inline-block;padding:.15em 0}nav a:hover{text-decoration:underline}
@media (min-width:1020px){.frame{grid-template-columns:190px minmax(0,1fr)}nav{position:sticky;top:14px;align-self:start;max-height:calc(100vh - 28px);overflow-y:auto}nav ul{display:block}nav li{margin:.15em 0;line-height:1.35}}
details>summary{cursor:pointer}.folded{margin:.6em 0}.folded>summary{color:var(--soft);font-size:.86rem}
pre{white-space:pre-wrap;word-break:break-word;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:10px;margin:0;font-size:.78rem;max-height:28em;overflow:auto}.ctl{color:var(--bad);font-size:.8em}
code{font-size:.9em;overflow-wrap:anywhere}.on-paper{display:none}
@media (max-width:640px){.top,.frame,footer{padding-left:12px;padding-right:12px}section{padding:14px}h1{font-size:1.3rem}}
@page{margin:14mm}
@media print{:root{color-scheme:light;${lightColours};--bg:#fff;--inner:#fff;--ink:#000;--soft:#444;--line:#bbb;--neutral-bg:#eef0f4}
html,body{font-size:9.5pt}body{-webkit-print-color-adjust:exact;print-color-adjust:exact}nav,.skip{display:none}.on-paper{display:inline}.frame{display:block}.top,.frame,footer{padding-left:0;padding-right:0}section{border:0;border-top:1px solid var(--line);border-radius:0;padding:10px 0;margin:0}
h2,h3,summary{break-after:avoid}pre{max-height:none}details::details-content{content-visibility:visible;display:block;height:auto}summary{list-style:none}summary::marker{content:""}}
`;

/** What sections of every kind look like. */
export const sectionStyle = `
.answer{font-size:1.2rem;font-weight:600;line-height:1.4;margin:.1em 0 .4em;max-width:70ch}.view-verdict{border-left:5px solid var(--soft)}.view-verdict:has(.answer.tone-good){border-left-color:var(--good)}.view-verdict:has(.answer.tone-bad){border-left-color:var(--bad)}.view-verdict:has(.answer.tone-warn){border-left-color:var(--warn)}.answer.tone-good,.answer.tone-bad,.answer.tone-warn{color:inherit}.view-verdict>h2{color:var(--soft);font-size:.92rem;font-weight:500;margin-bottom:.3em}.view-verdict ul{margin:.4em 0 0;padding-left:1.2em}.view-verdict li{margin:.25em 0;max-width:80ch}
.sure{font-size:.86rem;font-weight:400;color:var(--soft);white-space:nowrap}.meter{display:inline-block;width:5em;height:.55em;background:var(--neutral-bg);border-radius:3px;overflow:hidden}.meter u{display:block;height:100%;background:var(--accent)}
dl{display:grid;grid-template-columns:minmax(5em,max-content) minmax(0,1fr);gap:.25em 1.1em;margin:.2em 0}dt{color:var(--soft);max-width:14em}dd{margin:0;min-width:0}
.facts.short{grid-template-columns:repeat(auto-fill,minmax(118px,1fr));gap:.7em 1.1em}.facts.short dt{font-size:.82rem}.facts.short dd{font-size:1.06rem;font-variant-numeric:tabular-nums;margin:0}
.first .facts dd[class]{font-size:1.2rem;font-weight:600;line-height:1.4}
.part{margin:1.1em 0 0}h2+.part,.note+.part{margin-top:0}.part>h3{margin:0 0 .4em}.part p,section>p{max-width:80ch}.part>p:first-child{margin-top:0}
.notice{border-left:4px solid var(--line);background:var(--neutral-bg);border-radius:6px;padding:.4em .9em;margin:.6em 0}.notice p{margin:.2em 0}.notice.tone-warn{border-left-color:var(--warn);background:var(--warn-bg);color:inherit}.notice.tone-bad{border-left-color:var(--bad);background:var(--bad-bg);color:inherit}.notice.tone-good{border-left-color:var(--good);background:var(--good-bg);color:inherit}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem;font-variant-numeric:tabular-nums}th,td{text-align:left;vertical-align:top;padding:.35em .6em;border-bottom:1px solid var(--line);overflow-wrap:normal}thead th{color:var(--soft);font-weight:500}tbody th{font-weight:500}td{min-width:4em}tbody th{min-width:9em}td.num{white-space:nowrap}.num{text-align:right}
.sub{display:block;color:var(--soft);font-size:.86rem;font-weight:400}a.n{color:inherit;text-decoration-color:var(--soft);text-underline-offset:3px}a.n:hover{color:var(--accent)}
.tag{display:inline-block;font-size:.74rem;font-weight:600;border:1px solid currentColor;border-radius:99px;padding:0 .6em;white-space:nowrap}.reference{color:var(--accent)}.control{color:var(--warn)}.arm{color:var(--soft)}
.lines{display:block}.lines>div{padding:.4em 0 .4em .7em;border-left:3px solid var(--line);margin:.45em 0}.lines .tone-good{border-left-color:var(--good)}.lines .tone-bad{border-left-color:var(--bad)}.lines .tone-warn{border-left-color:var(--warn)}.lines dt{max-width:none;font-size:.86rem}.lines dd{color:var(--ink)}
.lines.log>div{display:grid;grid-template-columns:minmax(3.5em,13em) minmax(0,1fr);gap:0 .9em;padding:.1em 0 .1em .7em;margin:.15em 0}.lines.log dd{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.82rem;white-space:pre-wrap;line-height:1.5}
.marked{font-size:1.15rem;line-height:1.95;white-space:pre-wrap;margin:.2em 0}mark{background:var(--neutral-bg);color:inherit;padding:.1em .2em;border-radius:4px;border-bottom:2px solid var(--soft)}
mark.tone-good{background:var(--good-bg);border-color:var(--good)}mark.tone-bad{background:var(--bad-bg);border-color:var(--bad)}mark.tone-warn{background:var(--warn-bg);border-color:var(--warn)}
.legend span{margin-right:1em}.tone-good{color:var(--good)}.tone-bad{color:var(--bad)}.tone-warn{color:var(--warn)}mark.tone-good,mark.tone-bad,mark.tone-warn,article.tone-good,article.tone-bad,article.tone-warn,li.tone-good,li.tone-bad,li.tone-warn{color:inherit}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:12px;align-items:start}article{border:1px solid var(--line);border-left:4px solid var(--line);border-radius:9px;padding:11px 14px;background:var(--inner);min-width:0}.cards.long{grid-template-columns:minmax(0,1fr);gap:8px}
.cards h3,.cards h4{display:inline}.cards.long p.subtitle{margin:0}.cards.long summary{display:block;cursor:pointer;list-style:none}.cards.long summary:after{content:" more";color:var(--accent);font-size:.82rem}.cards.long details[open]>summary:after{content:" less"}
article.tone-good{border-left-color:var(--good)}article.tone-bad{border-left-color:var(--bad)}article.tone-warn{border-left-color:var(--warn)}article p{margin:.3em 0}article:target{outline:2px solid var(--accent);outline-offset:2px}
.steps{padding-left:1.4em;margin:0}.steps li{margin:.4em 0}.outcome{font-weight:600}.steps li.tone-good .outcome{color:var(--good)}.steps li.tone-bad .outcome{color:var(--bad)}.steps li.tone-warn .outcome{color:var(--warn)}
.numbers span{display:inline-block;background:var(--neutral-bg);border-radius:5px;padding:0 .5em;margin:0 .2em .2em 0;font-size:.85rem}
.series>div{display:grid;grid-template-columns:minmax(5em,max-content) minmax(0,1fr) 4em;gap:.8em;align-items:center;margin:.15em 0;font-size:.92rem}.series i{display:block;height:.75em;background:var(--neutral-bg);border-radius:3px}.series u{display:block;height:100%;background:var(--accent);border-radius:3px;min-width:2px}.series b{font-variant-numeric:tabular-nums}
.run-set{display:none}.run-set:target,.view-runs:not(:has(.run-set:target)) .run-set.all{display:block}
@media (max-width:640px){dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.35em}.lines.log>div{grid-template-columns:minmax(0,1fr)}.wide table{font-size:.85rem}td{min-width:5.5em}.tag{display:block;width:max-content}}
@media print{.cards article,.steps li,.lines>div,tr,.notice{break-inside:avoid}.cards.long summary:after{content:""}.wide{overflow:visible}.view-runs{display:none}}
`;

/** Charts: colours follow the page, and shapes and dashes say the same as colours. */
export const chartStyle = `
figure{margin:.4em 0 1em}figcaption{color:var(--soft);font-size:.86rem;max-width:80ch}figcaption b{font-weight:600;color:var(--ink)}.key{margin-right:.7em;white-space:nowrap}.part.view-chart{display:contents}
.picture svg{display:block;width:100%;height:auto;max-width:860px;overflow:visible}.picture.narrow{display:none}.chart-lines{display:inline-block;vertical-align:top;width:min(100%,430px);margin-right:20px}.chart-lines .picture.narrow{display:block}
svg text{font-size:12px;fill:var(--ink)}svg .axis{fill:var(--soft)}svg .name{font-size:12.5px;paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}svg .inside{fill:var(--card);font-weight:600}
.grid{stroke:var(--line)}.base{stroke:var(--soft)}.compared{stroke:var(--soft);stroke-dasharray:4 4;fill:none}.range{stroke:currentColor;stroke-width:2}.faint{opacity:.55;stroke-width:1.5}.dot{fill:currentColor}.ring{fill:var(--card);stroke:currentColor;stroke-width:2.5}.curve{stroke:currentColor;stroke-width:2;fill:none}svg rect.good{fill:var(--good)}svg rect.bad{fill:var(--bad)}svg .heat{fill:var(--bad)}svg .window{fill:var(--warn-bg)}svg .tick{stroke:var(--ink);stroke-width:2}
.series-1{color:var(--accent)}.series-2{color:var(--series-2)}.series-3{color:var(--good)}.series-4{color:var(--series-4)}.series-5{color:var(--warn)}.series-6{color:var(--soft)}.series-2 .curve,.series-5 .curve{stroke-dasharray:7 4}.series-3 .curve,.series-6 .curve{stroke-dasharray:2 3}
@media (max-width:720px){.picture.wide{display:none}.picture.narrow{display:block}.chart-lines{width:100%;margin-right:0}}
@media print{figure{break-inside:avoid}.picture svg{max-width:640px}.picture.wide{display:block}.picture.narrow{display:none}.chart-lines .picture.narrow{display:block}.chart-lines{width:46%}}
`;
