// Sorting, filtering and comparison. Texts of data and models only ever become text nodes.
"use strict";

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "none" || !head.hasAttribute("aria-sort")
        ? head.classList.contains("number") : head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      sortRows(table.tBodies[0], column, falling);
    });
  });
}

function keyOf(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.value ?? cell.textContent.trim();
  return text === "" ? null : cell.dataset.value === undefined ? text : Number(text);
}

function sortRows(body, column, falling) {
  const keyed = [...body.rows].map((row) => [keyOf(row, column), row]);
  keyed.sort(([a], [b]) => {
    if (a === null || b === null) return (a === null) - (b === null); // what has no value comes last either way
    const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en");
    return falling ? -order : order;
  });
  body.append(...keyed.map(([, row]) => row));
}

function filterable(form) {
  const body = document.getElementById(form.dataset.filters).tBodies[0];
  const status = document.getElementById(`${form.dataset.filters}-status`);
  const apply = () => {
    const wanted = [...new FormData(form)].filter(([, value]) => value !== "");
    let shown = 0;
    for (const row of body.rows) {
      row.hidden = !wanted.every(([name, value]) => name === "find"
        ? row.textContent.toLowerCase().includes(value.toLowerCase()) : row.dataset[name] === value);
      shown += !row.hidden;
    }
    status.textContent = `${shown} of ${body.rows.length} rows`;
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  preset(form);
  apply();
}

// A link may choose: index.html#task=NT
function preset(form) {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const field = form.elements.namedItem(name);
    if (field && [...(field.options ?? [])].some((option) => option.value === value)) field.value = value;
  }
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function comparison(section) {
  const data = JSON.parse(document.getElementById("instances").textContent);
  const form = section.querySelector("form"), place = section.querySelector(".instances");
  const status = section.querySelector(".status"), [before, after] = section.querySelectorAll(".pager button");
  const size = 10;
  let first = 0;
  const draw = () => {
    const a = Number(form.elements.a.value), b = Number(form.elements.b.value);
    const gain = (item) => (item.answers[b][2] ?? 0) - (item.answers[a][2] ?? 0);
    let chosen = data.instances;
    if (form.elements.different.checked) chosen = chosen.filter((item) => differs(item.answers[a], item.answers[b]));
    if (form.elements.order.value !== "") {
      const sign = form.elements.order.value === "a" ? 1 : -1;
      chosen = [...chosen].sort((one, other) => sign * (gain(one) - gain(other)));
    }
    first = Math.max(0, Math.min(first, Math.floor((chosen.length - 1) / size) * size));
    const page = chosen.slice(first, first + size);
    place.replaceChildren(...page.map((item) => instance(data, item, a, b)));
    before.disabled = first === 0;
    after.disabled = first + size >= chosen.length;
    status.textContent = chosen.length ? `Instances ${first + 1} to ${first + page.length} of ${chosen.length}` : "No instance fits.";
  };
  const turn = (step) => () => { first += step; draw(); place.focus(); };
  before.addEventListener("click", turn(-size));
  after.addEventListener("click", turn(size));
  form.addEventListener("input", () => { first = 0; draw(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  section.hidden = false;
  draw();
}

function differs(one, other) {
  return one[0] !== other[0] || one[2] !== other[2];
}

function instance(data, item, a, b) {
  const made = element("article"), list = element("dl");
  const name = `instance-${item.id}`;
  made.append(element("h3", item.id, { id: name }));
  made.setAttribute("aria-labelledby", name);
  for (const [field, text] of Object.entries(item.fields)) describe(list, field, text, data.languages[0]);
  for (const text of item.gold) describe(list, "gold", text, data.languages[1]);
  const pair = element("div", undefined, { class: "pair" });
  const scores = [a, b].map((row) => item.answers[row][2]);
  pair.append(...[a, b].map((row, side) => answer(data, item, row, scores[side] > scores[1 - side])));
  made.append(list, pair);
  return made;
}

function describe(list, name, text, language) {
  list.append(element("dt", name), text === null ? withheld("dd") : element("dd", text, { lang: language }));
}

function withheld(name) {
  return element(name, "text withheld: its licence does not let it be passed on", { class: "withheld" });
}

function answer(data, item, row, won) {
  const [text, status, score] = item.answers[row];
  const made = element("div", undefined, won ? { class: "won" } : {}), list = element("dl");
  const points = score === null ? "" : ` · ${data.metric} ${score}${won ? " (better)" : ""}`;
  describe(list, `${data.rows[row].label}${status === "ok" ? "" : ` · ${status}`}${points}`, text, data.languages[1]);
  made.append(list);
  return made;
}

document.querySelectorAll("table[data-sortable]").forEach(sortable);
document.querySelectorAll("form[data-filters]").forEach(filterable);
document.querySelectorAll("section[data-comparison]").forEach(comparison);
