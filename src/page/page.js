"use strict";
(() => {
  const all = (query, root = document) => Array.from(root.querySelectorAll(query));
  const one = (query, root = document) => root.querySelector(query);
  const root = document.documentElement;
  root.classList.add("js");

  // Dark and light: as the system has it, until somebody says otherwise.
  const button = one("#theme");
  const remembered = () => { try { return localStorage.getItem("loopwright-theme"); } catch { return null; } };
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const show = (theme) => {
    root.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${theme === "dark" ? "light" : "dark"} colours`);
  };
  show(remembered() || (system.matches ? "dark" : "light"));
  system.addEventListener("change", (event) => { if (!remembered()) show(event.matches ? "dark" : "light"); });
  button.addEventListener("click", () => {
    const theme = root.dataset.theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("loopwright-theme", theme); } catch { /* a file may have no memory */ }
    show(theme);
  });

  // One view at a time, named by the address. Those of nests are unpacked when they are looked at for the first time.
  const unpacked = async (packed) => {
    const bytes = Uint8Array.from(atob(packed.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Response(stream).text();
  };
  const view = async (id) => {
    const known = document.getElementById(id);
    const packed = document.getElementById(id.replace(/^nest-/, "packed-"));
    if (known && known.classList.contains("view")) return known;
    if (!packed || !packed.classList.contains("packed")) return one("#overview");
    const text = await unpacked(packed);
    const made = document.getElementById(id);
    if (made) return made;
    const holder = document.createElement("div");
    holder.innerHTML = text;
    const section = one("section", holder);
    section.hidden = true;
    one("#main").append(section);
    pictures(section);
    return section;
  };
  const route = async (isFirst) => {
    const wanted = location.hash.slice(1) || "overview";
    if (wanted === "main") return;
    delete root.dataset.view;
    const chosen = await view(wanted);
    if (wanted !== (location.hash.slice(1) || "overview")) return;
    all(".view").forEach((each) => { each.hidden = each !== chosen; });
    all(".canvas", chosen).forEach((canvas) => canvas.classList.toggle("wide", canvas.scrollWidth > canvas.clientWidth));
    const title = one("h1", chosen);
    document.title = `${title.textContent.trim().replace(/\s+/g, " ")} - Loopwright`;
    if (!isFirst) { title.focus({ preventScroll: true }); window.scrollTo(0, 0); }
    root.dataset.view = chosen.id;
  };
  window.addEventListener("hashchange", () => route(false));

  // The overview: filter and sort.
  const rows = all("#nests tbody tr");
  const value = (id) => (one(id) ? one(id).value : "");
  const filter = () => {
    const words = value("#search").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row) => {
      const text = `${row.dataset.file} ${row.dataset.symbol || ""} ${row.textContent}`.toLowerCase();
      const fits = words.every((word) => text.includes(word))
        && ["outcome", "file", "change"].every((key) => !value(`#${key}`) || row.dataset[key] === value(`#${key}`))
        && ["function", "takes"].every((key) => !value(`#${key}`) || one(`.${key}`, row).textContent === value(`#${key}`))
        && Number(one(".expected", row).dataset.key) >= Number(value("#gain"));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    one("#shown").textContent = `${shown} shown`;
  };
  ["#search", "#outcome", "#file", "#function", "#gain", "#takes", "#change"].forEach((id) => { if (one(id)) one(id).addEventListener("input", filter); });
  all(".pick").forEach((button) => button.addEventListener("click", () => { one("#takes").value = button.dataset.value; filter(); }));
  one("#filter").addEventListener("submit", (event) => event.preventDefault());
  const headers = all("#nests thead th");
  headers.forEach((header, column) => one("button", header).addEventListener("click", () => {
    const falls = header.classList.contains("number") ? header.getAttribute("aria-sort") !== "descending" : header.getAttribute("aria-sort") === "ascending";
    headers.forEach((other) => other.setAttribute("aria-sort", other === header ? (falls ? "descending" : "ascending") : "none"));
    const key = (row) => row.cells[column].dataset.key || row.cells[column].textContent.trim();
    const isNumber = header.classList.contains("number");
    const order = (a, b) => (isNumber ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b)));
    rows.map((row, at) => [row, at]).sort(([a, i], [b, j]) => (falls ? order(b, a) : order(a, b)) || i - j)
      .forEach(([row]) => row.parentNode.append(row));
  }));
  rows.forEach((row) => row.addEventListener("click", (event) => {
    if (!event.target.closest("a") && !String(window.getSelection())) location.hash = one("a", row).getAttribute("href");
  }));

  // All copies of a statement light up together.
  const light = (target) => {
    all(".lit").forEach((each) => each.classList.remove("lit"));
    const at = target && target.closest && target.closest("[data-s]");
    const around = at && at.closest(".view");
    if (!around) return;
    const names = new Set(at.dataset.s.split(" "));
    all("[data-s]", around).forEach((each) => {
      if (each.dataset.s.split(" ").some((name) => names.has(name))) each.classList.add("lit");
    });
  };
  document.addEventListener("pointerover", (event) => light(event.target));
  document.addEventListener("focusin", (event) => light(event.target));

  // Pictures: one cell for each iteration, coloured by its tile, and arrows for dependences (the rows of numbers are described in picture.rs).
  const CELL = 28, PART = 22, MARGIN = 44;
  const escaped = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const rowsOf = (numbers, width) => Array.from({ length: numbers.length / width }, (_, at) => numbers.slice(at * width, (at + 1) * width));
  const drawn = (data) => {
    const points = rowsOf(data.points, 6);
    const least = (at) => points.reduce((low, point) => Math.min(low, point[at]), Infinity);
    const most = (at) => points.reduce((high, point) => Math.max(high, point[at]), -Infinity);
    const [left, top, right, bottom] = [least(1), least(2), most(1), most(2)];
    const n = data.statements.length;
    const height = Math.max(CELL, PART * n);
    const part = Math.floor(height / n);
    const corner = (statement, x, y) => [MARGIN + (x - left) * CELL, MARGIN + (y - top) * height + part * statement];
    const centre = (statement, x, y) => { const [a, b] = corner(statement, x, y); return [a + CELL / 2, b + part / 2]; };
    const [axisX, axisY] = data.axes;
    const out = [];
    for (let x = left; x <= right; x += 1) out.push(`<text class="tick" x="${corner(0, x, top)[0] + CELL / 2}" y="${MARGIN - 6}" text-anchor="middle">${x}</text>`);
    out.push(`<text class="axis" x="${MARGIN}" y="14">${escaped(axisX)} →</text>`);
    if (axisY !== null) {
      for (let y = top; y <= bottom; y += 1) out.push(`<text class="tick" x="${MARGIN - 6}" y="${corner(0, left, y)[1] + height / 2 + 4}" text-anchor="end">${y}</text>`);
      out.push(`<text class="axis" x="2" y="${MARGIN - 22}">${escaped(axisY)} ↓</text>`);
    }
    if (n > 1) for (let y = top + 1; y <= bottom; y += 1) out.push(`<path class="row" d="M${corner(0, left, y)} H${corner(0, right + 1, y)[0]}"/>`);
    points.forEach(([statement, x, y, tile, lane, step]) => {
      const name = escaped(data.statements[statement]);
      const [a, b] = corner(statement, x, y);
      const words = `${name}(${axisY === null ? x : `${y}, ${x}`}): step ${step + 1}`
        + (tile >= 0 ? `, ${data.has_tiles ? "tile" : "run"} ${tile + 1}` : "") + (lane >= 0 && data.lanes > 1 ? `, core task ${lane + 1}` : "");
      out.push(`<g class="cell ${tile >= 0 ? `t${data.colours[tile]}` : "plain"}" data-step="${step}" data-tile="${tile}" data-s="${name}"><title>${words}</title>`
        + `<rect x="${a}" y="${b}" width="${CELL}" height="${part}"/><use href="#mark-${statement}" x="${a + CELL / 2 - 7}" y="${b + part / 2 - 7}"/></g>`);
    });
    out.push(`<path class="borders" d="${borders(points, n, corner, part)}"/>`);
    const steps = new Map(points.map(([statement, x, y, , , step]) => [`${statement},${x},${y}`, step]));
    rowsOf(data.arrows, 8).forEach(([kind, from, x1, y1, to, x2, y2, aside]) => {
      const step = steps.get(`${to},${x2},${y2}`) ?? steps.get(`${from},${x1},${y1}`) ?? 0;
      out.push(arrow(data, [kind, aside, from, to, step], centre(from, x1, y1), centre(to, x2, y2)));
    });
    const [width, deep] = [corner(0, right + 1, top)[0] + 12, corner(0, left, bottom + 1)[1] + 12];
    return `<svg class="domain" viewBox="0 0 ${width} ${deep}" width="${width}" height="${deep}" aria-hidden="true">${out.join("")}</svg>`;
  };
  // Lines around the cells of a tile, for whoever does not tell its colour from the next one.
  const borders = (points, n, corner, part) => {
    const tiles = new Map(points.map(([statement, x, y, tile]) => [`${statement},${x},${y}`, tile]));
    return points.filter(([, , , tile]) => tile >= 0).map(([statement, x, y, tile]) => {
      const [a, b] = corner(statement, x, y);
      const [above, below] = [statement > 0 ? [statement - 1, x, y] : [n - 1, x, y - 1], statement + 1 < n ? [statement + 1, x, y] : [0, x, y + 1]];
      const ends = (place) => tiles.get(`${place}`) !== tile;
      const isFree = (place) => !tiles.has(`${place}`);
      return (isFree([statement, x - 1, y]) ? `M${a} ${b}v${part}` : "") + (ends([statement, x + 1, y]) ? `M${a + CELL} ${b}v${part}` : "")
        + (isFree(above) ? `M${a} ${b}h${CELL}` : "") + (ends(below) ? `M${a} ${b + part}h${CELL}` : "");
    }).join("");
  };
  // A little bent, so that those of one line can be told apart.
  const arrow = (data, [kind, aside, from, to, step], [fromX, fromY], [toX, toY]) => {
    const f = (value) => value.toFixed(1);
    const length = Math.max(1, Math.hypot(toX - fromX, toY - fromY));
    const [ux, uy] = [(toX - fromX) / length, (toY - fromY) / length];
    const [x1, y1, x2, y2] = [fromX + 4 * ux, fromY + 4 * uy, toX - 5 * ux, toY - 5 * uy];
    const bend = Math.min(9, 0.12 * length);
    const [mx, my] = [(x1 + x2) / 2 - bend * uy, (y1 + y2) / 2 + bend * ux];
    const end = Math.max(1, Math.hypot(x2 - mx, y2 - my));
    const [ex, ey] = [(x2 - mx) / end, (y2 - my) / end];
    const head = (side) => `${f(x2 - 5 * ex - side * 2.6 * ey)},${f(y2 - 5 * ey + side * 2.6 * ex)}`;
    const names = escaped(`${data.statements[from]} ${data.statements[to]}`);
    return `<g class="arrow ${escaped(data.kinds[kind].replace(/ /g, "-"))}${aside ? " aside" : ""}" data-s="${names}" data-step="${step}">`
      + `<path d="M${f(x1)} ${f(y1)} Q${f(mx)} ${f(my)} ${f(x2)} ${f(y2)}"/><polygon points="${f(x2)},${f(y2)} ${head(1)} ${head(-1)}"/></g>`;
  };

  // Pictures that run; each is drawn when it is shown.
  const pictures = (section) => {
    const figures = all(".picture", section);
    const which = one(".which", section);
    const choose = () => figures.forEach((picture, at) => {
      picture.hidden = which !== null && String(at) !== which.value;
      const canvas = one(".canvas", picture);
      if (picture.hidden || canvas.firstChild) return;
      canvas.innerHTML = drawn(JSON.parse(one(".drawing", picture).textContent));
      canvas.classList.toggle("wide", canvas.scrollWidth > canvas.clientWidth);
      if (one(".step", picture)) play(picture);
    });
    if (which) which.addEventListener("input", choose);
    figures.forEach((picture) => one(".arrows", picture).addEventListener("input", (event) => picture.classList.toggle("without", !event.target.checked)));
    choose();
  };
  const play = (picture) => {
    const slider = one(".step", picture);
    const steps = Number(picture.dataset.steps);
    const cells = all(".cell", picture).map((cell) => [cell, Number(cell.dataset.step)]);
    const arrows = all(".domain .arrow", picture).map((arrow) => [arrow, Number(arrow.dataset.step)]);
    const button = one(".play", picture);
    const now = one(".now", picture);
    let timer = null;
    // Step 0 of the slider shows all, step n what has run by then.
    const draw = () => {
      const at = Number(slider.value);
      let count = 0;
      cells.forEach(([cell, step]) => {
        cell.classList.toggle("later", at > 0 && step >= at);
        cell.classList.toggle("now", at > 0 && step === at - 1);
        count += at > 0 && step === at - 1 ? 1 : 0;
      });
      arrows.forEach(([arrow, step]) => arrow.classList.toggle("later", at > 0 && step >= at));
      now.textContent = at > 0 ? `step ${at} of ${steps}: ${count} iterations` : `all ${steps} steps`;
      slider.setAttribute("aria-valuetext", now.textContent);
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      button.textContent = "▶ Play";
      button.setAttribute("aria-pressed", "false");
    };
    draw();
    slider.addEventListener("input", () => { stop(); draw(); });
    button.addEventListener("click", () => {
      if (timer) { stop(); return; }
      if (Number(slider.value) >= steps) slider.value = 0;
      button.textContent = "❚❚ Pause";
      button.setAttribute("aria-pressed", "true");
      timer = setInterval(() => {
        slider.value = Number(slider.value) + 1;
        draw();
        if (Number(slider.value) >= steps) stop();
      }, Math.max(120, Math.min(700, 9000 / steps)));
    });
  };

  // The keyboard: / searches, Escape leads back to the overview.
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      location.hash = "overview";
      event.preventDefault();
      setTimeout(() => one("#search").focus(), 0);
    } else if (event.key === "Escape" && location.hash.startsWith("#nest-")) {
      const row = one(`#nests a[href="${location.hash}"]`);
      location.hash = "overview";
      setTimeout(() => row && row.focus(), 0);
    }
  });

  route(true);
})();
