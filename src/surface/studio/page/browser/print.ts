/** Collapsed parts cannot be opened on paper: they are open while the page is printed. */
export function preparePrint(): void {
  const opened = new Set<HTMLDetailsElement>();
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) {
      if (!(details instanceof HTMLDetailsElement)) continue;
      details.open = true;
      opened.add(details);
    }
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
    opened.clear();
  });
}
