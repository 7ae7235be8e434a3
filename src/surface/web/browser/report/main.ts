import { make, themeButton } from "../common/mod.ts";
import { createAside } from "./aside.ts";
import { readSource } from "./data.ts";
import { overviewPage, summaryOf } from "./overview.ts";
import { paper } from "./paper.ts";
import { createPicture, pictureOfPage } from "./picture.ts";
import { badge } from "./pieces.ts";
import { routeOf } from "./route.ts";
import { scenarioPage } from "./scenario.ts";
import { trialPage } from "./trial.ts";
import { statusCounts } from "./words.ts";

const source = readSource();
const { data } = source;
const picture = createPicture(data.nodes, pictureOfPage());
const aside = createAside(source);
const main = make("main", { tabindex: -1 });
const page = document.getElementById("page") ?? document.body;

function header(): HTMLElement {
  const { run } = data;
  return make(
    "header",
    {},
    make("button", { type: "button", class: "skip", onclick: () => main.focus() }, "Skip to the content"),
    make("h1", {}, make("a", { href: "#" }, run.agent)),
    badge(run.verdict),
    make("span", { class: "quiet" }, statusCounts(run.counts)),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "button", onclick: () => window.print() }, "Print"),
      themeButton(),
    ),
  );
}

/** Shows the page of the URL's hash. */
function show(isFirst: boolean): void {
  const route = routeOf(location.hash, data);
  const { scenario, trial } = route;
  const shown =
    scenario && trial
      ? trialPage(source, scenario, trial, picture)
      : scenario
        ? scenarioPage(scenario, picture)
        : overviewPage(data, picture);
  main.replaceChildren(
    ...(scenario ? [make("p", { class: "back" }, make("a", { href: "#" }, "← all scenarios"))] : []),
    shown,
  );
  page.classList.toggle("detail", scenario !== undefined);
  aside.mark(route);
  picture.fit();
  document.title = [trial && `trial ${trial.key}`, scenario?.name, data.run.agent].filter(Boolean).join(", ");
  if (isFirst) return;
  window.scrollTo(0, 0);
  if (!aside.element.contains(document.activeElement)) main.focus({ preventScroll: true });
}

page.replaceChildren(header(), make("div", { class: "columns" }, aside.element, main));
page.setAttribute("data-summary", summaryOf(data));
show(true);
addEventListener("hashchange", () => show(false));
addEventListener("beforeprint", () => {
  document.querySelector(".paper")?.remove();
  const drawn = picture.element.querySelector("svg")?.cloneNode(true);
  document.body.append(paper(source, aside.shown(), drawn ?? document.createTextNode("")));
});
addEventListener("afterprint", () => document.querySelector(".paper")?.remove());
performance.mark("report-shown");
