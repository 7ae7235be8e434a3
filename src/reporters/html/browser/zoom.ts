import { make } from "./make.ts";

/** Zooming and panning of a picture in a scrolled container. */
export interface Zoom {
  readonly toolbar: HTMLElement;
  /** Fits the whole width, as long as texts stay readable. */
  readonly fit: () => void;
  /** Scrolls to a part of the picture. */
  readonly reveal: (part: SVGElement) => void;
}

const SMALLEST = 0.05;
const LARGEST = 4;
/** Below this scale texts of 13 pixels are hard to read. */
const READABLE = 0.62;

/** Adds buttons, Ctrl + wheel, and dragging to a picture. */
export function enableZoom(stage: HTMLElement, svg: SVGSVGElement | null): Zoom {
  const natural = svg?.viewBox.baseVal.width || 1;
  let scale = 1;
  const shown = make("button", { type: "button", title: "Actual size", onclick: () => setScale(1) }, "100 %");
  const toolbar = make(
    "div",
    { class: "toolbar", role: "group", "aria-label": "Zoom" },
    make("button", { type: "button", "aria-label": "Zoom out", onclick: () => setScale(scale / 1.25) }, "−"),
    shown,
    make("button", { type: "button", "aria-label": "Zoom in", onclick: () => setScale(scale * 1.25) }, "+"),
    make("button", { type: "button", title: "Fit the width", onclick: () => fitWidth(SMALLEST) }, "Fit"),
  );

  function setScale(wanted: number, x = stage.clientWidth / 2, y = stage.clientHeight / 2): void {
    const next = Math.min(LARGEST, Math.max(SMALLEST, wanted));
    const left = ((stage.scrollLeft + x) * next) / scale - x;
    const top = ((stage.scrollTop + y) * next) / scale - y;
    scale = next;
    if (svg) svg.style.width = `${natural * scale}px`;
    shown.textContent = `${Math.round(scale * 100)} %`;
    stage.scrollTo(left, top);
  }

  function fitWidth(least: number): void {
    const room = stage.clientWidth - 16;
    if (room > 0) setScale(Math.min(1, Math.max(least, room / natural)), 0, 0);
  }

  stage.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = stage.getBoundingClientRect();
      setScale(scale * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
  makeDraggable(stage);
  const fit = () => {
    fitWidth(READABLE);
    const entry = svg?.querySelector<SVGElement>(".entry");
    if (entry) reveal(stage, entry, { isAtTop: true });
  };
  return { toolbar, fit, reveal: (part) => reveal(stage, part) };
}

/** Scrolls only the container, not the page around it. */
function reveal(stage: HTMLElement, part: SVGElement, { isAtTop = false } = {}): void {
  const [frame, box] = [stage.getBoundingClientRect(), part.getBoundingClientRect()];
  const margin = 40;
  const isInside =
    box.left >= frame.left + margin / 2 &&
    box.right <= frame.right - margin / 2 &&
    box.top >= frame.top + margin / 2 &&
    box.bottom <= frame.bottom - margin / 2;
  if (isInside && !isAtTop) return;
  const left = stage.scrollLeft + box.left + box.width / 2 - (frame.left + frame.width / 2);
  const top = isAtTop ? 0 : stage.scrollTop + box.top + box.height / 2 - (frame.top + frame.height / 2);
  const isCalm = isAtTop || matchMedia("(prefers-reduced-motion: reduce)").matches;
  stage.scrollTo({ left, top, behavior: isCalm ? "auto" : "smooth" });
}

function makeDraggable(stage: HTMLElement): void {
  let isDown = false;
  stage.addEventListener("pointerdown", (event) => {
    isDown = event.button === 0 && event.pointerType !== "touch";
  });
  stage.addEventListener("pointermove", (event) => {
    if (!isDown) return;
    // captured only when it moves: a captured press would not click the node below it
    if (!stage.classList.contains("dragged") && Math.hypot(event.movementX, event.movementY) > 0) {
      stage.setPointerCapture(event.pointerId);
      stage.classList.add("dragged");
    }
    stage.scrollBy(-event.movementX, -event.movementY);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    stage.addEventListener(end, () => {
      isDown = false;
      stage.classList.remove("dragged");
    });
  }
}
