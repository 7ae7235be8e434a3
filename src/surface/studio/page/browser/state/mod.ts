export { type ListOf, may, noteError, session, studio } from "./api.ts";
export { changes, isLive, listen } from "./events.ts";
export { type Loaded, useLoaded } from "./load.ts";
export { goTo, linkTo, route, setSettings } from "./route.ts";
