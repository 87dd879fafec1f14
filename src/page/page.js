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

  // One view at a time, named by the address.
  const route = (isFirst) => {
    const wanted = location.hash.slice(1) || "overview";
    const views = all(".view");
    if (wanted === "main") return;
    const chosen = views.find((view) => view.id === wanted) || one("#overview");
    views.forEach((view) => { view.hidden = view !== chosen; });
    const title = one("h1", chosen);
    document.title = `${title.textContent.trim().replace(/\s+/g, " ")} - Loopwright`;
    if (!isFirst) { title.focus({ preventScroll: true }); window.scrollTo(0, 0); }
  };
  window.addEventListener("hashchange", () => route(false));
  route(true);

  // The overview: filter and sort.
  const rows = all("#nests tbody tr");
  const value = (id) => (one(id) ? one(id).value : "");
  const filter = () => {
    const words = value("#search").toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row) => {
      const text = `${row.dataset.file} ${row.textContent}`.toLowerCase();
      const fits = words.every((word) => text.includes(word))
        && ["outcome", "file", "change"].every((key) => !value(`#${key}`) || row.dataset[key] === value(`#${key}`));
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    one("#shown").textContent = `${shown} shown`;
  };
  ["#search", "#outcome", "#file", "#change"].forEach((id) => { if (one(id)) one(id).addEventListener("input", filter); });
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
    const view = at && at.closest(".view");
    if (!view) return;
    const names = new Set(at.dataset.s.split(" "));
    all("[data-s]", view).forEach((each) => {
      if (each.dataset.s.split(" ").some((name) => names.has(name))) each.classList.add("lit");
    });
  };
  document.addEventListener("pointerover", (event) => light(event.target));
  document.addEventListener("focusin", (event) => light(event.target));

  // Pictures that run.
  all(".pictures").forEach((block) => {
    const pictures = all(".picture", block);
    const which = one(".which", block);
    const choose = () => pictures.forEach((picture, at) => { picture.hidden = String(at) !== which.value; });
    if (which) { which.addEventListener("input", choose); choose(); }
  });
  all(".picture").forEach((picture) => {
    one(".arrows", picture).addEventListener("input", (event) => picture.classList.toggle("without", !event.target.checked));
    const slider = one(".step", picture);
    if (!slider) return;
    const steps = Number(picture.dataset.steps);
    const cells = all(".cell", picture).map((cell) => [cell, Number(cell.dataset.step)]);
    const play = one(".play", picture);
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
      now.textContent = at > 0 ? `step ${at} of ${steps}: ${count} iterations` : `all ${steps} steps`;
      slider.setAttribute("aria-valuetext", now.textContent);
    };
    const stop = () => {
      clearInterval(timer);
      timer = null;
      play.textContent = "▶ Play";
      play.setAttribute("aria-pressed", "false");
    };
    slider.addEventListener("input", () => { stop(); draw(); });
    play.addEventListener("click", () => {
      if (timer) { stop(); return; }
      if (Number(slider.value) >= steps) slider.value = 0;
      play.textContent = "❚❚ Pause";
      play.setAttribute("aria-pressed", "true");
      timer = setInterval(() => {
        slider.value = Number(slider.value) + 1;
        draw();
        if (Number(slider.value) >= steps) stop();
      }, Math.max(120, Math.min(700, 9000 / steps)));
    });
  });

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
})();
