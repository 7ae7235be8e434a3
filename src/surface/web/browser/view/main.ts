import type { ViewState } from "../../view_state.ts";
import { enableZoom, make, parsePicture, themeButton } from "../common/mod.ts";
import { findingItem } from "./finding_item.ts";

const name = make("h1", {}, "callweave view");
const status = make("span", { class: "quiet", role: "status" }, "loading");
const problem = make("div", { class: "problem", role: "alert", hidden: true });
const stage = make("main", { class: "stage", tabindex: 0, "aria-label": "Picture of the agent" });
const zoom = enableZoom(stage);
const count = make("h2", {}, "Findings");
const findings = make("ul", { class: "findings" });
const page = document.getElementById("page") ?? document.body;

/** The picture that is shown, as it arrived. */
let shown = "";

/** Shows a state. A new picture keeps the zoom and the scroll position. */
function show({ picture, error }: ViewState): void {
  problem.hidden = !error;
  problem.textContent = error ?? "";
  if (!picture) {
    status.textContent = "not drawn yet";
    return;
  }
  const found = picture.findings.length === 0 ? "no findings" : counted(picture.findings.length, "finding");
  document.title = picture.name;
  name.textContent = picture.name;
  status.textContent = `${counted(picture.nodes, "node")}, ${found}${error ? ", before the error" : ""}`;
  page.classList.toggle("clean", picture.findings.length === 0);
  count.textContent = found;
  findings.replaceChildren(...picture.findings.map(findingItem));
  if (picture.svg !== shown) draw(picture.svg);
}

function draw(text: string): void {
  const isFirst = shown === "";
  shown = text;
  zoom.replace(parsePicture(text));
  if (!isFirst) return;
  zoom.fit();
  // a large picture is scrolled to the entry node, at a readable size
  const entry = stage.querySelector<SVGElement>(".box.entry");
  if (entry) zoom.reveal(entry);
}

function counted(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

page.classList.add("clean");
page.replaceChildren(
  make("header", {}, name, status, make("div", { class: "buttons" }, themeButton())),
  make("section", { class: "picture", "aria-label": "Graph of the agent" }, zoom.toolbar, stage, problem),
  make("aside", { "aria-label": "Findings" }, count, findings),
);

const events = new EventSource("/events");
events.onmessage = ({ data }) => show(JSON.parse(data));
events.onerror = () => {
  status.textContent = "callweave view has stopped";
};
