import { make } from "./make.ts";

type Theme = "light" | "dark";

const KEY = "callweave-theme";

/** A button that switches between light and dark. Until it is used, the page follows the system. */
export function themeButton(): HTMLElement {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = stored();
  const current = (): Theme => chosen ?? (system.matches ? "dark" : "light");
  const button = make("button", { type: "button" });
  const draw = () => {
    if (chosen) document.documentElement.setAttribute("data-theme", chosen);
    button.textContent = current() === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Use ${current() === "dark" ? "light" : "dark"} colours`);
  };
  button.addEventListener("click", () => {
    chosen = current() === "dark" ? "light" : "dark";
    keep(chosen);
    draw();
  });
  system.addEventListener("change", draw);
  draw();
  return button;
}

/** Pages opened from disk may have no storage. */
function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : undefined;
  } catch {
    return undefined;
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // the choice lasts until the page is closed
  }
}
