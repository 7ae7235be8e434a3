import type { PageCall, PageNode, PageScenario, PageScore, PageTrial } from "../../page_data.ts";
import { type Child, make } from "../common/mod.ts";
import { heardSection } from "./audio.ts";
import type { ReportSource } from "./data.ts";
import { waitSection } from "./latency.ts";
import { overlayOf, type Picture } from "./picture.ts";
import { badge, facts, problemList, section, sign, usageTable } from "./pieces.ts";
import { recordingSection, voiceSection } from "./recording.ts";
import { linkTo } from "./route.ts";
import { createTranscript, type SelectableTranscript } from "./transcript.ts";
import { counted, dateText, dollars, duration, nodeLabel, scoreText } from "./words.ts";

/** Shows one trial: its problems, the transcript beside the graph, and all findings about the call. */
export function trialPage(
  source: ReportSource,
  scenario: PageScenario,
  trial: PageTrial,
  picture: Picture,
): HTMLElement {
  const { nodes } = source.data;
  const call = source.callOf(trial);
  const transcript = createTranscript(call, nodes, (line) =>
    picture.mark(line.node, line.kind === "move" ? line.arrows : []),
  );
  picture.overlay(overlayOf([trial]));
  picture.mark(undefined);
  picture.onSelect = (node) => {
    picture.mark(node);
    transcript.selectNode(node);
  };
  return make(
    "article",
    { class: "trial" },
    make(
      "h2",
      {},
      make("a", { href: linkTo(scenario) }, scenario.name),
      ` trial ${trial.key}`,
      " ",
      badge(trial.status),
    ),
    otherTrials(scenario, trial),
    trialFacts(call, trial),
    make(
      "div",
      { class: "beside" },
      make(
        "div",
        {},
        call.problems.length > 0 && section("What went wrong", problemList(call.problems, "bad")),
        call.warnings.length > 0 && section("Warnings", problemList(call.warnings, "warn")),
        recordingSection(call.recording, transcript),
        section("Transcript", call.isWithoutTranscript ? withoutTranscript() : transcript.element),
        ...callSections(call, nodes, transcript),
      ),
      picture.element,
    ),
  );
}

/** Stands for a transcript that the page lacks. */
export function withoutTranscript(): HTMLElement {
  return make("p", { class: "quiet" }, "This page is without the transcript of this call: it has too many calls.");
}

/** Start, duration and outcome of a call. */
export function trialFacts(call: PageCall, { turns, ms, end, cost }: PageTrial): HTMLElement {
  return facts([
    ["ended", end],
    ["turns", String(turns)],
    ["took", duration(ms)],
    ...(cost === undefined ? [] : [["cost", dollars(cost)] as const]),
    ["started", dateText(call.startedAt)],
  ]);
}

/** The sections below the transcript. */
export function callSections(
  call: PageCall,
  nodes: readonly PageNode[],
  transcript?: SelectableTranscript,
): readonly Child[] {
  const { variables, usage, waits, heard, figures } = call;
  return [
    scoreSection(call, transcript),
    checkSection(call),
    toolSection(call, nodes),
    variables.length > 0 &&
      section(
        `Variables (${variables.length})`,
        make(
          "dl",
          { class: "variables" },
          ...variables.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]),
        ),
      ),
    heardSection(heard),
    voiceSection(figures),
    waitSection(waits),
    section("Usage", usageTable(usage)),
  ];
}

function partTitle(name: string, list: readonly { readonly passed: boolean }[]): string {
  return `${name} (${list.filter(({ passed }) => passed).length} of ${list.length} passed)`;
}

/** What judges found. */
export function scoreSection(
  { verdicts }: Pick<PageCall, "verdicts">,
  transcript?: SelectableTranscript,
): HTMLElement | null {
  if (verdicts.length === 0) return null;
  return section(
    partTitle("Scores", verdicts),
    make("ul", { class: "cards" }, ...verdicts.map((each) => score(each, transcript))),
  );
}

/** What a rule expected, and what it found. */
export interface CheckFacts {
  readonly kind: string;
  readonly expected: string;
  readonly passed: boolean;
  readonly reason: string;
}

/** What rules found. */
export function checkSection({ checks }: { readonly checks: readonly CheckFacts[] }): HTMLElement | null {
  if (checks.length === 0) return null;
  return section(
    partTitle("Checks", checks),
    make(
      "ul",
      { class: "checks" },
      ...checks.map(({ kind, expected, passed, reason }) =>
        make(
          "li",
          { class: passed ? "pass" : "fail" },
          sign(passed ? "pass" : "fail"),
          make("span", {}, make("span", { class: "kind" }, kind), ` ${expected}`),
          make("span", { class: "quiet" }, `${passed ? "" : "failed: "}${reason}`),
        ),
      ),
    ),
  );
}

/** Tool calls with their arguments and results. */
export function toolSection({ lines }: Pick<PageCall, "lines">, nodes: readonly PageNode[]): HTMLElement | null {
  const tools = lines.flatMap((line) => (line.kind === "tool" ? [line] : []));
  if (tools.length === 0) return null;
  return section(
    `Tool calls (${tools.length})`,
    make(
      "ul",
      { class: "cards" },
      ...tools.map(({ name, input, output, failed, mocked, took, node }) =>
        make(
          "li",
          { class: failed ? "fail" : "pass" },
          make(
            "h4",
            {},
            make("code", {}, name),
            make(
              "span",
              { class: "quiet" },
              [
                failed ? "failed" : "succeeded",
                ...(mocked ? ["answered by a mock"] : []),
                `at ${nodeLabel(nodes[node])}`,
                ...(took === undefined ? [] : [duration(took)]),
              ].join(", "),
            ),
          ),
          labelled("arguments", make("pre", {}, input)),
          labelled("result", make("pre", {}, output)),
        ),
      ),
    ),
  );
}

function score(verdict: PageScore, transcript: SelectableTranscript | undefined): HTMLElement {
  const { criterion, requirement, reason, evidence, passed, score, threshold, confidence, quoted, isUnfounded } =
    verdict;
  const bar = make("span", {
    class: "score",
    role: "img",
    "aria-label": `score ${scoreText(score)}, threshold ${scoreText(threshold)}`,
  });
  const [filled, mark] = [make("span", { class: "filled" }), make("span", { class: "gate" })];
  filled.style.width = `${score * 100}%`;
  mark.style.left = `${threshold * 100}%`;
  bar.append(filled, mark);
  const [first] = quoted;
  const show =
    first !== undefined &&
    transcript !== undefined &&
    make(
      "button",
      { type: "button", class: "link", onclick: () => transcript.select(first, { isFocused: true }) },
      "Show in transcript",
    );
  return make(
    "li",
    { class: passed ? "pass" : "fail" },
    make("h4", {}, sign(passed ? "pass" : "fail"), make("span", {}, criterion)),
    make(
      "p",
      { class: "score-line" },
      bar,
      make("span", {}, `${scoreText(score)}, needs ${scoreText(threshold)}`),
      confidence !== undefined && make("span", { class: "quiet" }, `judge's confidence ${scoreText(confidence)}`),
    ),
    labelled("reason", reason),
    evidence.trim() !== "" &&
      labelled(
        "evidence",
        make("q", {}, evidence),
        isUnfounded && make("strong", { class: "warn" }, " not found in the transcript"),
        " ",
        show,
      ),
    requirement !== criterion && labelled("requires", requirement),
  );
}

function labelled(label: string, ...content: readonly Child[]): HTMLElement {
  return make("div", { class: "labelled" }, make("span", { class: "label" }, label), make("div", {}, ...content));
}

/** Links to the trials before and after. */
function otherTrials({ trials, ...scenario }: PageScenario, trial: PageTrial): HTMLElement {
  const at = trials.indexOf(trial);
  const link = (place: number, words: string, rel: string) => {
    const other = trials[place];
    return other
      ? make("a", { href: linkTo({ trials, ...scenario }, other), rel }, words)
      : make("span", { class: "quiet" }, words);
  };
  return make(
    "nav",
    { class: "steps", "aria-label": "Trials" },
    link(at - 1, "← previous trial", "prev"),
    make("span", { class: "quiet" }, `${at + 1} of ${counted(trials.length, "trial")}`),
    link(at + 1, "next trial →", "next"),
  );
}
