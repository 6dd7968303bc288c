/** The stylesheet of an exported run: light and dark, phone and print, no outside resource. */
export const style = `
:root{color-scheme:light dark;--bg:#fbfaf8;--card:#fff;--ink:#1d1f23;--soft:#5c6470;--line:#dcd9d2;--good:#0f6138;--bad:#a3201a;--warn:#754c00;--accent:#2f5fa8;
--good-bg:#e2f4e9;--bad-bg:#fbe6e4;--warn-bg:#fdf0d6;--neutral-bg:#e8edf5}
@media (prefers-color-scheme:dark){:root{--bg:#16181c;--card:#1f2228;--ink:#e8e6e1;--soft:#a2a9b4;--line:#363b44;--good:#6fd19b;--bad:#f2938c;--warn:#e6b85c;--accent:#8fb6f2;
--good-bg:#173325;--bad-bg:#3d1f1d;--warn-bg:#3a2e14;--neutral-bg:#262d38}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans KR","Apple SD Gothic Neo","Malgun Gothic",sans-serif;overflow-wrap:anywhere;word-break:keep-all}
main{max-width:1200px;margin:0 auto;padding:24px 20px 60px}
h1{font-size:1.5rem;line-height:1.25;margin:.2em 0 .4em}h2{font-size:1.1rem;margin:0 0 .6em}h3{font-size:1rem;margin:0 0 .3em}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:16px 0}
.eyebrow,.soft,.subtitle,.step,.player,.gist,.legend,.links,footer{color:var(--soft);font-size:.86rem}
.badge{display:inline-block;padding:.15em .7em;border-radius:99px;font-weight:600;background:var(--neutral-bg)}
.badge.decided{background:var(--good-bg);color:var(--good)}.badge.undecided,.badge.escalated,.badge.budget_exhausted{background:var(--warn-bg);color:var(--warn)}.badge.failed{background:var(--bad-bg);color:var(--bad)}
dl{display:grid;grid-template-columns:minmax(6em,max-content) 1fr;gap:.25em 1em;margin:.2em 0}dt{color:var(--soft)}dd{margin:0;min-width:0}
.turn dl,dl dl,.notes dl{grid-template-columns:1fr;gap:0}.turn dt,dl dl dt,.notes dt{font-size:.8rem;margin-top:.35em}
.pairs>span{margin-right:.9em}.pairs i{font-style:normal;color:var(--soft);font-size:.86em}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.35em .6em;border-bottom:1px solid var(--line)}
.lines{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.82rem}.lines th{color:var(--soft);font-weight:400;white-space:nowrap}.lines td{white-space:pre-wrap;word-break:break-all}
.marked{font-size:1.15rem;line-height:2}mark{background:var(--neutral-bg);color:inherit;padding:.1em .2em;border-radius:4px;border-bottom:2px solid var(--soft)}
mark.tone-good{background:var(--good-bg);border-color:var(--good)}mark.tone-bad{background:var(--bad-bg);border-color:var(--bad)}mark.tone-warn{background:var(--warn-bg);border-color:var(--warn)}
.legend span{margin-right:1em}.tone-good{color:var(--good)}.tone-bad{color:var(--bad)}.tone-warn{color:var(--warn)}mark.tone-good,mark.tone-bad,mark.tone-warn,article.tone-good,article.tone-bad,article.tone-warn,li.tone-good,li.tone-bad,li.tone-warn{color:inherit}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(260px,1fr));gap:12px}.cards article,.turn{border:1px solid var(--line);border-left:4px solid var(--line);border-radius:8px;padding:12px 14px;background:var(--bg)}
article.tone-good{border-left-color:var(--good)}article.tone-bad{border-left-color:var(--bad)}article.tone-warn{border-left-color:var(--warn)}article p{margin:.3em 0}
article:target{outline:2px solid var(--accent)}a{color:var(--accent)}
.steps,.notes{padding-left:1.4em;margin:0}.steps li,.notes li{margin:.35em 0}.outcome{font-weight:600}.steps li.tone-good .outcome{color:var(--good)}.steps li.tone-bad .outcome{color:var(--bad)}.steps li.tone-warn .outcome{color:var(--warn)}
.numbers span{display:inline-block;background:var(--neutral-bg);border-radius:5px;padding:0 .5em;margin:0 .2em .2em 0;font-size:.85rem}
.series>div{display:grid;grid-template-columns:minmax(5em,max-content) 1fr 4em;gap:.8em;align-items:center;margin:.25em 0}.series i{display:block;height:.8em;background:var(--accent);border-radius:3px;min-width:2px}.series b{font-variant-numeric:tabular-nums}
.rounds{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(330px,1fr);gap:14px;overflow-x:auto;padding-bottom:6px}.turn{margin:0 0 12px;font-size:.93rem}.turn header{margin-bottom:.5em}
.turn.repaired,.turn.salvaged{border-left-color:var(--warn)}.turn.abstained{border-left-color:var(--bad)}.turn.answered{border-left-color:var(--accent)}.status{float:right;color:var(--soft);font-size:.8rem}
.chip{display:inline-block;background:var(--neutral-bg);border-radius:5px;padding:0 .45em;margin:.1em 0}.items{padding-left:1.2em;margin:.2em 0}.items>li{margin:.3em 0}.nothing{color:var(--soft)}.text{white-space:pre-wrap}.number{font-variant-numeric:tabular-nums}
.problems{font-size:.85rem;color:var(--warn);padding-left:1.2em}details summary{cursor:pointer;color:var(--soft);font-size:.85rem}.notes details summary{font-size:.95rem;color:inherit}
pre{white-space:pre-wrap;word-break:break-word;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:10px;font-size:.78rem;max-height:28em;overflow:auto}.ctl{color:var(--bad);font-size:.8em}
footer{margin-top:28px}code{font-size:.85em}
@media (max-width:640px){main{padding:14px 12px 40px}section{padding:14px}.rounds{grid-auto-flow:row;grid-auto-columns:auto}dl{grid-template-columns:1fr}dd{margin-bottom:.4em}.status{float:none}}
@media print{:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb}body{font-size:11pt}section{break-inside:auto;border:0;border-top:1px solid var(--line);border-radius:0;padding:10px 0}.turn,.cards article{break-inside:avoid}.rounds{display:block}details:not([open]){display:none}.notes details{display:block}pre{max-height:none}}
`;
