/**
 * The script of the page, for browsers. It keeps the zoom and the scroll position when a new picture arrives. The picture
 * is in a shadow root, so that its styles and those of the page do not mix.
 */
export const PAGE_SCRIPT = `
"use strict";
const byId = (id) => document.getElementById(id);
const stage = byId("stage");
const root = byId("picture").attachShadow({ mode: "open" });
const dark = "@media (prefers-color-scheme: dark) { svg { filter: invert(.91) hue-rotate(180deg); } }";
let zoom = 1;
let shown = "";
let isFirst = true;

const svg = () => root.querySelector("svg");
const natural = () => svg()?.viewBox.baseVal.width ?? 1;

function setZoom(wanted, x = stage.clientWidth / 2, y = stage.clientHeight / 2) {
  const next = Math.min(4, Math.max(.05, wanted));
  const ratio = next / zoom;
  const left = (stage.scrollLeft + x) * ratio - x;
  const top = (stage.scrollTop + y) * ratio - y;
  zoom = next;
  size();
  stage.scrollTo(left, top);
}

function size() {
  const picture = svg();
  if (!picture) return;
  picture.style.width = natural() * zoom + "px";
  picture.style.height = "auto";
  byId("zoom").textContent = Math.round(zoom * 100) + " %";
}

const fitWidth = () => Math.min(1, Math.max(.3, (stage.clientWidth - 40) / natural()));

function draw(text) {
  if (text === shown) return;
  shown = text;
  const { scrollLeft, scrollTop } = stage;
  root.innerHTML = "<style>svg { display: block; margin: 0 auto; } " + dark + "</style>" + text;
  if (isFirst) zoom = Math.max(.6, fitWidth());
  size();
  stage.scrollTo(scrollLeft, scrollTop);
  // a wide picture is scrolled to the entry node, at a readable size
  if (isFirst) root.querySelector(".entry")?.scrollIntoView({ block: "nearest", inline: "center" });
  isFirst = false;
}

function item(finding) {
  const line = document.createElement("li");
  line.className = finding.severity;
  const title = line.appendChild(document.createElement("b"));
  title.textContent = finding.severity + "[" + finding.code + "]";
  for (const text of [finding.message, finding.hint]) {
    if (!text) continue;
    line.appendChild(document.createElement(text === finding.message ? "div" : "p")).textContent = text;
  }
  return line;
}

const counted = (count, word) => count + " " + word + (count === 1 ? "" : "s");

function show({ picture, error }) {
  byId("error").hidden = !error;
  byId("error").textContent = error ?? "";
  if (!picture) {
    byId("status").textContent = "not drawn yet";
    return;
  }
  const { name, nodes, findings } = picture;
  document.title = name;
  byId("name").textContent = name;
  const found = findings.length === 0 ? "no findings" : counted(findings.length, "finding");
  byId("status").textContent = counted(nodes, "node") + ", " + found + (error ? ", before the error" : "");
  document.body.classList.toggle("clean", findings.length === 0);
  byId("count").textContent = found;
  byId("findings").replaceChildren(...findings.map(item));
  draw(picture.svg);
}

byId("in").onclick = () => setZoom(zoom * 1.25);
byId("out").onclick = () => setZoom(zoom / 1.25);
byId("zoom").onclick = () => setZoom(1);
byId("fit").onclick = () => setZoom(fitWidth());
stage.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const box = stage.getBoundingClientRect();
  setZoom(zoom * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
}, { passive: false });
stage.addEventListener("pointerdown", (event) => {
  if (event.button !== 0 || event.pointerType === "touch") return;
  stage.setPointerCapture(event.pointerId);
  stage.classList.add("dragged");
});
stage.addEventListener("pointermove", (event) => {
  if (stage.classList.contains("dragged")) stage.scrollBy(-event.movementX, -event.movementY);
});
for (const end of ["pointerup", "pointercancel"]) stage.addEventListener(end, () => stage.classList.remove("dragged"));

const events = new EventSource("/events");
events.onmessage = ({ data }) => show(JSON.parse(data));
events.onerror = () => { byId("status").textContent = "callweave view has stopped"; };
`;
