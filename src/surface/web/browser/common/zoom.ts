import { make } from "./make.ts";

/** Zooming and panning of a picture in a scrolled container. */
export interface Zoom {
  readonly toolbar: HTMLElement;
  /** Shows the whole picture. */
  readonly fit: () => void;
  /** Scrolls to a part of the picture, and enlarges a picture whose texts are too small to read. */
  readonly reveal: (part: SVGElement) => void;
  /** Puts another picture in place of the one before, in the same scale and scrolled to the same place. */
  readonly replace: (svg: SVGSVGElement) => void;
}

const SMALLEST = 0.05;
const LARGEST = 4;
/** Pixels above the picture that the buttons need; the style has the same number. */
const BUTTONS = 40;
/** Below this scale texts of 13 pixels are hard to read. */
const READABLE = 0.62;

/** Adds buttons, Ctrl + wheel, and dragging to the picture in a container. */
export function enableZoom(stage: HTMLElement): Zoom {
  const picture = () => stage.querySelector("svg");
  const sizeOf = (svg: SVGSVGElement | null) => svg?.viewBox.baseVal ?? { width: 0, height: 0 };
  let scale = 1;
  /** Whether the scale was chosen by hand, so that it stays. */
  let isChosen = false;
  const choose = (wanted: number, x?: number, y?: number) => {
    isChosen = true;
    setScale(wanted, x, y);
  };
  const shown = make("button", { type: "button", title: "Actual size", onclick: () => choose(1) }, "100 %");
  const toolbar = make(
    "div",
    { class: "toolbar", role: "group", "aria-label": "Zoom" },
    make("button", { type: "button", "aria-label": "Zoom out", onclick: () => choose(scale / 1.25) }, "−"),
    shown,
    make("button", { type: "button", "aria-label": "Zoom in", onclick: () => choose(scale * 1.25) }, "+"),
    make("button", { type: "button", title: "Show the whole picture", onclick: () => showAll() }, "Fit"),
  );

  function setScale(wanted: number, x = stage.clientWidth / 2, y = stage.clientHeight / 2): void {
    const next = Math.min(LARGEST, Math.max(SMALLEST, wanted));
    const left = ((stage.scrollLeft + x) * next) / scale - x;
    const top = ((stage.scrollTop + y) * next) / scale - y;
    scale = next;
    resize();
    shown.textContent = `${Math.round(scale * 100)} %`;
    stage.scrollTo(left, top);
  }

  function resize(): void {
    const svg = picture();
    if (svg) svg.style.width = `${sizeOf(svg).width * scale}px`;
  }

  function showAll(): void {
    isChosen = false;
    const { width, height } = sizeOf(picture());
    const [across, down] = [stage.clientWidth - 16, stage.clientHeight - 16 - BUTTONS];
    if (across > 0 && down > 0) setScale(Math.min(1, across / (width || 1), down / (height || 1)), 0, 0);
  }

  stage.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = stage.getBoundingClientRect();
      choose(scale * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
  makeDraggable(stage);
  return {
    toolbar,
    fit: showAll,
    reveal: (part) => {
      if (!isChosen && scale < READABLE) setScale(READABLE);
      scrollTo(stage, part);
    },
    replace: (svg) => {
      const { scrollLeft, scrollTop } = stage;
      picture()?.remove();
      stage.append(svg);
      resize();
      stage.scrollTo(scrollLeft, scrollTop);
    },
  };
}

/** Scrolls only the container, not the page around it. */
function scrollTo(stage: HTMLElement, part: SVGElement): void {
  const [frame, box] = [stage.getBoundingClientRect(), part.getBoundingClientRect()];
  const margin = 40;
  const isInside =
    box.left >= frame.left + margin / 2 &&
    box.right <= frame.right - margin / 2 &&
    box.top >= frame.top + margin / 2 &&
    box.bottom <= frame.bottom - margin / 2;
  if (isInside) return;
  const left = stage.scrollLeft + box.left + box.width / 2 - (frame.left + frame.width / 2);
  const top = stage.scrollTop + box.top + box.height / 2 - (frame.top + frame.height / 2);
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
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
