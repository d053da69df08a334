// Makes tables of the page sortable by their columns, and adds a field that hides rows. Without the viewer they stand
// in the order of the page.

/** Begins with every table that is marked for it. */
export function startSortable(): void {
  for (const box of document.querySelectorAll<HTMLElement>("[data-sortable]")) {
    const table = box.querySelector("table");
    if (!table) continue;
    for (const title of table.tHead?.rows[0]?.cells ?? []) makeSortable(table, title);
    box.before(filter(table, box.dataset.sortable ?? "rows"));
  }
}

function makeSortable(table: HTMLTableElement, title: HTMLTableCellElement): void {
  const button = document.createElement("button");
  const sign = document.createElement("span");
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = " ↕";
  button.type = "button";
  button.append(...title.childNodes, sign);
  title.append(button);
  title.setAttribute("aria-sort", "none");
  button.addEventListener("click", () => {
    const isNumber = title.dataset.kind === "number";
    // Of numbers the largest are what is looked for.
    const was = title.getAttribute("aria-sort");
    const down = was === "none" ? isNumber : was === "ascending";
    for (const other of table.tHead?.rows[0]?.cells ?? []) {
      other.setAttribute("aria-sort", "none");
      const own = other.querySelector("button > span");
      if (own) own.textContent = " ↕";
    }
    title.setAttribute("aria-sort", down ? "descending" : "ascending");
    sign.textContent = down ? " ↓" : " ↑";
    sort(table, title.cellIndex, isNumber, down);
  });
}

/** Equal rows stay as they were; rows without a value come last. */
function sort(table: HTMLTableElement, column: number, isNumber: boolean, down: boolean): void {
  const body = table.tBodies[0];
  if (!body) return;
  const sign = down ? -1 : 1;
  const key = (row: HTMLTableRowElement) => {
    const cell = row.cells[column];
    return (isNumber ? cell?.dataset.order : cell?.textContent) ?? "";
  };
  const rows = [...body.rows].map((row) => ({ row, key: key(row) }));
  rows.sort((a, b) => {
    if (a.key === "" || b.key === "") return Number(a.key === "") - Number(b.key === "");
    return sign * (isNumber ? Number(a.key) - Number(b.key) : a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  });
  body.append(...rows.map(({ row }) => row));
}

/** A field: rows that do not have its text are hidden. How many there are is told. */
function filter(table: HTMLTableElement, what: string): HTMLElement {
  const place = document.createElement("div");
  place.className = "controls filter";
  const label = document.createElement("label");
  const field = document.createElement("input");
  const count = document.createElement("span");
  field.type = "search";
  label.append(`Show ${what} with `, field);
  count.setAttribute("role", "status");
  count.className = "faint";
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    for (const row of rows) row.hidden = !(row.textContent ?? "").toLowerCase().includes(wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = wanted === "" ? "" : `${shown} of ${rows.length}`;
  });
  place.append(label, count);
  return place;
}
