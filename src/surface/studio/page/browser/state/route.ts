import { signal } from "@preact/signals";

/** Where the reader is: the parts of the path, and the settings of the view. All of it is in the URL's hash. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** Settings of a view; those without a value are left out of the URL. */
export interface ViewSettings {
  readonly [name: string]: string | number | undefined;
}

/** The route of the URL now. */
export const route = signal(parseHash(location.hash));

addEventListener("hashchange", () => {
  route.value = parseHash(location.hash);
});

/** Parses a hash: `#/runs/8f0c?status=fail`. */
export function parseHash(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return { path: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

/** The link to a view. */
export function linkTo(path: readonly string[], settings: ViewSettings = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(settings))
    if (value !== undefined && value !== "") query.set(name, String(value));
  const words = query.size > 0 ? `?${query}` : "";
  return `#/${path.map((part) => encodeURIComponent(part)).join("/")}${words}`;
}

/** Changes settings of the view. The browser's "back" returns to the last view, not to each letter of a filter. */
export function setSettings(changes: ViewSettings): void {
  const { path, query } = route.value;
  const next = linkTo(path, { ...Object.fromEntries(query), ...changes });
  if (next === location.hash) return;
  history.replaceState(null, "", next);
  route.value = parseHash(next);
}

/** Goes to a view. */
export function goTo(link: string): void {
  location.hash = link;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
