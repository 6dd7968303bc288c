/** The stylesheet of an exported run: light and dark, phone and print, no outside resource. */
export const style = `
:root{color-scheme:light dark;--bg:#f7f6f3;--card:#fff;--inner:#faf9f7;--ink:#1d1f23;--soft:#575f6b;--line:#dedbd4;--good:#0f6138;--bad:#a3201a;--warn:#754c00;--accent:#2a569b;
--good-bg:#e2f4e9;--bad-bg:#fbe6e4;--warn-bg:#fdf0d6;--neutral-bg:#e9edf4}
@media (prefers-color-scheme:dark){:root{--bg:#141619;--card:#1d2025;--inner:#23272d;--ink:#e8e6e1;--soft:#a7aeb9;--line:#363b44;--good:#7ad6a4;--bad:#f49a93;--warn:#e9bd66;--accent:#93b9f3;
--good-bg:#17352a;--bad-bg:#41211f;--warn-bg:#3b2f15;--neutral-bg:#2a313c}}
*{box-sizing:border-box}html{scroll-behavior:smooth;scroll-padding-top:12px}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans KR","Apple SD Gothic Neo","Malgun Gothic",sans-serif;overflow-wrap:anywhere;word-break:keep-all}
.top,.frame,footer{max-width:1240px;margin:0 auto;padding:0 20px}.top{padding-top:24px}footer{padding-bottom:48px}
.frame{display:grid;grid-template-columns:minmax(0,1fr);gap:0 28px}main{min-width:0}
.skip{position:absolute;left:-9999px}.skip:focus{left:12px;top:8px;background:var(--card);padding:.3em .8em}
h1{font-size:1.6rem;line-height:1.25;margin:.1em 0 .4em}h1.long{font-size:1.2rem;line-height:1.4}h2{font-size:1.12rem;margin:0 0 .7em}h3{font-size:1rem;margin:0}h4,h5{font-size:1rem;margin:0;display:inline}h5{display:block;font-size:.78rem;color:var(--soft);margin:.6em 0 .2em}
section{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:0 0 16px}
a{color:var(--accent)}a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.eyebrow,.soft,.subtitle,.step,.player,.gist,.legend,.links,footer{color:var(--soft);font-size:.86rem}.eyebrow{margin:0}
.badge{display:inline-block;padding:.15em .75em;border-radius:99px;font-weight:600;background:var(--neutral-bg);margin-right:.4em}
.badge.decided{background:var(--good-bg);color:var(--good)}.badge.undecided,.badge.escalated,.badge.budget_exhausted{background:var(--warn-bg);color:var(--warn)}.badge.failed{background:var(--bad-bg);color:var(--bad)}
.outcome-line{font-size:1.05rem;margin:.3em 0}.says{margin-right:1.1em;font-weight:600}.says i,.pairs i{font-style:normal;font-weight:400;color:var(--soft);font-size:.86em}.why{margin:.3em 0;padding-left:1.2em}
nav{font-size:.88rem;margin:6px 0 14px}nav ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.2em 1em}nav a{text-decoration:none;display:inline-block;padding:.15em 0}nav a:hover{text-decoration:underline}.round-links a{display:inline-block;min-width:1.7em;text-align:center;background:var(--neutral-bg);border-radius:5px;margin:2px 0}
@media (min-width:1020px){.frame{grid-template-columns:190px minmax(0,1fr)}nav{position:sticky;top:14px;align-self:start;max-height:calc(100vh - 28px);overflow-y:auto}nav ul{display:block}nav li{margin:.15em 0;line-height:1.35}.round-links{display:block}}
dl{display:grid;grid-template-columns:minmax(5em,max-content) minmax(0,1fr);gap:.25em 1.1em;margin:.2em 0}dt{color:var(--soft);max-width:14em}dd{margin:0;min-width:0}
.verdict .facts dd[class]{font-size:1.2rem;font-weight:600;line-height:1.4}
.turn dl,.turn dl dl,.notes dl{font-size:.95em;gap:.15em .9em}.turn dt,.notes dt{font-size:.86em}
dt:has(+dd>.wide),dd:has(>.wide){grid-column:1/-1;max-width:none}dl dl dl,.turn:not(.broad) dl dl{grid-template-columns:minmax(0,1fr);gap:0}
.pairs>span{margin-right:.9em}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.35em .6em;border-bottom:1px solid var(--line);overflow-wrap:normal}th{color:var(--soft);font-weight:500}td{min-width:4em}.figures td{white-space:nowrap;font-variant-numeric:tabular-nums}.figures{font-size:.86rem;margin-top:.6em}
.lines{display:block}.lines>div{padding:.4em 0 .4em .7em;border-left:3px solid var(--line);margin:.45em 0}.lines .tone-good{border-left-color:var(--good)}.lines .tone-bad{border-left-color:var(--bad)}.lines .tone-warn{border-left-color:var(--warn)}.lines dt{max-width:none;font-size:.86rem}.lines dd{color:var(--ink)}
.lines.log>div{display:grid;grid-template-columns:minmax(3.5em,13em) minmax(0,1fr);gap:0 .9em;padding:.1em 0 .1em .7em;margin:.15em 0}.lines.log dd{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.82rem;white-space:pre-wrap;line-height:1.5}
.marked{font-size:1.15rem;line-height:1.95;white-space:pre-wrap;margin:.2em 0}mark{background:var(--neutral-bg);color:inherit;padding:.1em .2em;border-radius:4px;border-bottom:2px solid var(--soft)}
mark.tone-good{background:var(--good-bg);border-color:var(--good)}mark.tone-bad{background:var(--bad-bg);border-color:var(--bad)}mark.tone-warn{background:var(--warn-bg);border-color:var(--warn)}
.legend span{margin-right:1em}.tone-good{color:var(--good)}.tone-bad{color:var(--bad)}.tone-warn{color:var(--warn)}mark.tone-good,mark.tone-bad,mark.tone-warn,article.tone-good,article.tone-bad,article.tone-warn,li.tone-good,li.tone-bad,li.tone-warn{color:inherit}
.cards,.turns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:12px;align-items:start}.cards article,.turn{border:1px solid var(--line);border-left:4px solid var(--line);border-radius:9px;padding:11px 14px;background:var(--inner);min-width:0}.turn.broad{grid-column:1/-1}.cards.long{grid-template-columns:minmax(0,1fr);gap:8px}
.cards h3{display:inline}.cards.long p.subtitle{margin:0}.cards.long summary{display:block;cursor:pointer;list-style:none}.cards.long summary:after{content:" more";color:var(--accent);font-size:.82rem}.cards.long details[open]>summary:after{content:" less"}
article.tone-good{border-left-color:var(--good)}article.tone-bad{border-left-color:var(--bad)}article.tone-warn{border-left-color:var(--warn)}article p{margin:.3em 0}
article:target,.round:target>summary{outline:2px solid var(--accent);outline-offset:2px}
.steps,.notes,.levers{padding-left:1.4em;margin:0}.steps li,.notes li,.levers li{margin:.4em 0}.outcome{font-weight:600}.steps li.tone-good .outcome{color:var(--good)}.steps li.tone-bad .outcome{color:var(--bad)}.steps li.tone-warn .outcome{color:var(--warn)}
.numbers span{display:inline-block;background:var(--neutral-bg);border-radius:5px;padding:0 .5em;margin:0 .2em .2em 0;font-size:.85rem}
.series>div{display:grid;grid-template-columns:minmax(5em,max-content) minmax(0,1fr) 4em;gap:.8em;align-items:center;margin:.15em 0;font-size:.92rem}.series i{display:block;height:.75em;background:var(--neutral-bg);border-radius:3px}.series u{display:block;height:100%;background:var(--accent);border-radius:3px;min-width:2px}.series b{font-variant-numeric:tabular-nums}
.round{margin:0 0 14px}.round>summary{cursor:pointer;padding:.3em 0}.round>summary h3{display:inline}.turn{font-size:.95rem}.turn header{margin-bottom:.45em}.turn h4{font-size:1rem}.here{float:right;text-decoration:none;padding:0 .3em}
.turn.repaired,.turn.salvaged{border-left-color:var(--warn)}.turn.abstained{border-left-color:var(--bad)}.turn.answered{border-left-color:var(--accent)}.status{font-size:.78rem;border-radius:99px;padding:.05em .6em;background:var(--neutral-bg)}.repaired .status,.salvaged .status{background:var(--warn-bg);color:var(--warn)}.abstained .status{background:var(--bad-bg);color:var(--bad)}
.chip{display:inline-block;background:var(--neutral-bg);border-radius:5px;padding:0 .45em;margin:.1em 0}.items{padding-left:1.3em;margin:.2em 0}.items>li{margin:.3em 0}.nothing{color:var(--soft)}.text{white-space:pre-wrap}.number{font-variant-numeric:tabular-nums}
.problems{font-size:.86rem;color:var(--warn);padding-left:1.2em;margin:.5em 0}details>summary{cursor:pointer}.raw summary,.folded>summary{color:var(--soft);font-size:.86rem}.raw{margin-top:.5em}.notes details summary{font-size:.95rem;color:inherit}
pre{white-space:pre-wrap;word-break:break-word;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:10px;margin:0;font-size:.78rem;max-height:28em;overflow:auto}.ctl{color:var(--bad);font-size:.8em}
footer{margin-top:20px}code{font-size:.9em;overflow-wrap:anywhere}.levers code{background:var(--neutral-bg);border-radius:5px;padding:.05em .4em}.on-paper{display:none}
@media (max-width:640px){.top,.frame,footer{padding-left:12px;padding-right:12px}section{padding:14px}h1{font-size:1.3rem}dl,.turn dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:.35em}.lines.log>div{grid-template-columns:minmax(0,1fr)}.wide table{font-size:.85rem}td{min-width:5.5em}}
@page{margin:14mm}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--inner:#fff;--ink:#000;--soft:#444;--line:#bbb;--good:#0f6138;--bad:#a3201a;--warn:#754c00;--accent:#2a569b;--good-bg:#e2f4e9;--bad-bg:#fbe6e4;--warn-bg:#fdf0d6;--neutral-bg:#eef0f4}
html,body{font-size:9.5pt}body{-webkit-print-color-adjust:exact;print-color-adjust:exact}nav,.skip,.here,.raw{display:none}.on-paper{display:inline}.frame{display:block}.top,.frame,footer{padding-left:0;padding-right:0}section{border:0;border-top:1px solid var(--line);border-radius:0;padding:10px 0;margin:0}
h2,h3,.turn header,summary{break-after:avoid}.turn:not(.broad),.cards article,.steps li,.lines>div{break-inside:avoid}.turns{display:block}.turn{margin-bottom:10px;font-size:8.5pt}pre{max-height:none}details::details-content{content-visibility:visible;display:block;height:auto}summary{list-style:none}summary::marker{content:""}.cards.long summary:after{content:""}.wide{overflow:visible}}
`;
