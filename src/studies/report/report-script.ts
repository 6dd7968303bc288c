/** The small script of the HTML report: sorts tables and lists the runs behind a number. Without it all else still reads. */
export const reportScript = `
(() => {
  const valueOf = (row, i) => { const cell = row.cells[i]; const raw = cell.dataset.sort ?? cell.textContent.trim(); const number = Number(raw); return raw !== "" && Number.isFinite(number) ? number : raw; };
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : typeof a === "number" ? -1 : typeof b === "number" ? 1 : String(a).localeCompare(String(b));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("table.sortable thead button");
    if (!button) return;
    const head = button.closest("th"), table = head.closest("table"), body = table.tBodies[0], i = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending" || (!head.hasAttribute("aria-sort") && head.classList.contains("num"));
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down && head.getAttribute("aria-sort") !== "descending" ? "descending" : "ascending");
    const sign = head.getAttribute("aria-sort") === "descending" ? -1 : 1;
    body.append(...[...body.rows].sort((a, b) => sign * compare(valueOf(a, i), valueOf(b, i))));
  });
  const data = JSON.parse(document.getElementById("runs-data").textContent), list = document.getElementById("runs-list"), page = 50;
  const cell = (tag, text, kind) => { const element = document.createElement(tag); element.textContent = text; if (kind) element.className = kind; return element; };
  const addRows = (body, rows) => { for (const index of rows) { const [arm, name, seed, run, outcome, score, right, tokens] = data.rows[index]; const row = document.createElement("tr");
    row.append(cell("th", run ?? "–", "mono"), cell("td", data.arms[arm]), cell("td", name, "mono"), cell("td", seed, "num"), cell("td", outcome), cell("td", score === null ? "–" : (score * 100).toFixed(1), "num"), cell("td", right === null ? "–" : right ? "right" : "wrong", right === false ? "bad" : right ? "good" : ""), cell("td", tokens, "num")); row.cells[0].scope = "row"; body.append(row); } };
  const show = () => {
    const found = /^#runs-(\\d+)$/.exec(location.hash);
    const set = found ? data.sets[Number(found[1])] : null;
    if (found && !set) return;
    const rows = set ? set.rows : data.rows.map((_, i) => i);
    list.querySelector("[data-title]").textContent = (set ? set.title : "All runs") + " (" + rows.length + ")";
    list.querySelector("[data-all]").hidden = !set;
    const body = list.querySelector("tbody"), more = list.querySelector("button.more");
    body.replaceChildren(); let shown = 0;
    const next = () => { addRows(body, rows.slice(shown, shown + page)); shown = Math.min(rows.length, shown + page); more.hidden = shown >= rows.length; more.textContent = "Show more (" + (rows.length - shown) + " left)"; };
    more.onclick = next; next();
    if (set) list.scrollIntoView();
  };
  addEventListener("hashchange", show); list.hidden = false; show();
})();
`;
