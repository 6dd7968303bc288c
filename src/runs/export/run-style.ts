/** What only the page of a run has: its outcome, its turns and its rules. */
export const runStyle = `
.step,.player,.gist{color:var(--soft);font-size:.86rem}h5{display:block;font-size:.78rem;color:var(--soft);margin:.6em 0 .2em}
.badge{display:inline-block;padding:.15em .75em;border-radius:99px;font-weight:600;background:var(--neutral-bg);margin-right:.4em}
.badge.decided{background:var(--good-bg);color:var(--good)}.badge.undecided,.badge.escalated,.badge.budget_exhausted{background:var(--warn-bg);color:var(--warn)}.badge.failed{background:var(--bad-bg);color:var(--bad)}
.outcome-line{font-size:1.05rem;margin:.3em 0}.says{margin-right:1.1em;font-weight:600}.says i,.pairs i{font-style:normal;font-weight:400;color:var(--soft);font-size:.86em}.why{margin:.3em 0;padding-left:1.2em}.pairs>span{margin-right:.9em}
.round-links a{display:inline-block;min-width:1.7em;text-align:center;background:var(--neutral-bg);border-radius:5px;margin:2px 0}@media (min-width:1020px){.round-links{display:block}}
.turns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:12px;align-items:start}.turn.broad{grid-column:1/-1}.turn h4{display:inline;font-size:1rem}
.turn dl,.turn dl dl,.notes dl{font-size:.95em;gap:.15em .9em}.turn dt,.notes dt{font-size:.86em}
dt:has(+dd>.wide),dd:has(>.wide){grid-column:1/-1;max-width:none}dl dl dl,.turn:not(.broad) dl dl{grid-template-columns:minmax(0,1fr);gap:0}
.round{margin:0 0 14px}.round>summary{padding:.3em 0}.round>summary h3{display:inline}.turn{font-size:.95rem}.turn header{margin-bottom:.45em}.here{float:right;text-decoration:none;padding:0 .3em}.round:target>summary{outline:2px solid var(--accent);outline-offset:2px}
.turn.repaired,.turn.salvaged{border-left-color:var(--warn)}.turn.abstained{border-left-color:var(--bad)}.turn.answered{border-left-color:var(--accent)}.status{font-size:.78rem;border-radius:99px;padding:.05em .6em;background:var(--neutral-bg)}.repaired .status,.salvaged .status{background:var(--warn-bg);color:var(--warn)}.abstained .status{background:var(--bad-bg);color:var(--bad)}
.notes{padding-left:1.4em;margin:0}.notes li{margin:.4em 0}.notes details summary{font-size:.95rem}
.chip{display:inline-block;background:var(--neutral-bg);border-radius:5px;padding:0 .45em;margin:.1em 0}.items{padding-left:1.3em;margin:.2em 0}.items>li{margin:.3em 0}.nothing{color:var(--soft)}.text{white-space:pre-wrap}.number{font-variant-numeric:tabular-nums}
.problems{font-size:.86rem;color:var(--warn);padding-left:1.2em;margin:.5em 0}.raw summary{color:var(--soft);font-size:.86rem}.raw{margin-top:.5em}
@media (max-width:640px){.turn dl{grid-template-columns:minmax(0,1fr);gap:0}}
.told{list-style:none;padding:0;margin:.4em 0}.told>li{margin:.35em 0;padding-left:.7em;border-left:2px solid var(--line)}.told del{color:var(--soft)}.told ins{text-decoration:none;font-weight:600}.prompts h4{margin:.8em 0 .3em;font-size:.86rem}
@media print{.here,.raw,.prompts{display:none}.turn header{break-after:avoid}.turn:not(.broad){break-inside:avoid}.turns{display:block}.turn{margin-bottom:10px;font-size:8.5pt}}
`;
