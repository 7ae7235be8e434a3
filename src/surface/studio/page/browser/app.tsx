import { Component, type ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { themeButton } from "../../../web/browser/mod.ts";
import type { StudioAnswer } from "../../api/mod.ts";
import { Mounted, Trouble, Wait } from "./parts/mod.ts";
import {
  AgentScreen,
  AuditScreen,
  CallScreen,
  ChangeScreen,
  CompareScreen,
  HomeScreen,
  LabelsScreen,
  RunScreen,
  RunsScreen,
  SearchScreen,
  SignInScreen,
  TalkScreen,
  TrendScreen,
} from "./screens/mod.ts";
import { changes, isLive, linkTo, listen, route, session, studio, useLoaded } from "./state/mod.ts";

/** Made once, so that the theme's listener is, too. */
const theme = themeButton();

/** The whole page: who asks, the header, and the screen of the URL. */
export function App() {
  const loaded = useLoaded("session", async () => {
    const answer = await studio.session({});
    session.value = answer;
    return answer;
  });
  return (
    <Wait loaded={loaded} what="the studio">
      {() => (session.value?.role ? <Studio /> : <SignInScreen />)}
    </Wait>
  );
}

function Studio() {
  const version = `${changes.agents.value} ${changes.runs.value} ${changes.labels.value}`;
  const project = useLoaded(`project ${version}`, (signal) => studio.project({}, { signal }));
  useEffect(listen, []);
  // what is typed on a screen stays when the project is loaded again: only another screen starts anew
  const path = route.value.path.join("/");
  return (
    <>
      <Header project={project.value} />
      <Main>
        <Wait loaded={project} what="the project">
          {(value) => (
            <Guard key={path}>
              <Screen project={value} />
            </Guard>
          )}
        </Wait>
      </Main>
    </>
  );
}

/** The main part. It gets the focus when another screen is shown, so that a screen reader reads it. */
function Main({ children }: { readonly children: ComponentChildren }) {
  const main = useRef<HTMLElement>(null);
  const path = route.value.path.join("/");
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <main ref={main} tabIndex={-1} id="main">
      {children}
    </main>
  );
}

const SCREENS = [
  ["runs", "Runs"],
  ["agents", "Agents"],
  ["search", "Search"],
  ["labels", "Labels"],
  ["talk", "Talk"],
  ["changes", "Changes"],
] as const;

/** Screens that are reached from others, and the entry of the menu that they belong to. */
const BELONGS: { readonly [screen: string]: string } = { audit: "changes", calls: "runs", scenarios: "runs" };

function Header({ project }: { readonly project: StudioAnswer<"project"> | undefined }) {
  const [screen = ""] = route.value.path;
  return (
    <header>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <h1>
        <a href="#/">{project?.name ?? "Callweave"}</a>
      </h1>
      <nav aria-label="Studio">
        {SCREENS.map(([name, title]) => (
          <a key={name} href={linkTo([name])} aria-current={(BELONGS[screen] ?? screen) === name ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="buttons">
        <span
          class={`live ${isLive.value ? "on" : ""}`}
          title={isLive.value ? "Changes show by themselves" : "Not connected: changes do not show by themselves"}
        >
          {isLive.value ? "live" : "offline"}
        </span>
        {session.value?.needsToken && (
          <button type="button" onClick={() => studio.signOut({}).then(() => location.reload())}>
            Sign out{session.value.name ? ` ${session.value.name}` : ""}
          </button>
        )}
        <Mounted element={theme} />
      </div>
    </header>
  );
}

function Screen({ project }: { readonly project: StudioAnswer<"project"> }) {
  const { path, query } = route.value;
  const [screen = "", id = "", part = ""] = path;
  const title = `${SCREENS.find(([name]) => name === (BELONGS[screen] ?? screen))?.[1] ?? "Overview"}, ${project.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  switch (screen) {
    case "":
      return <HomeScreen project={project} />;
    case "runs":
      if (id !== "" && part === "compare") return <CompareScreen run={id} base={query.get("with") ?? ""} />;
      return id === "" ? <RunsScreen project={project} /> : <RunScreen id={id} />;
    case "scenarios":
      return <TrendScreen scenario={id} />;
    case "calls":
      return <CallScreen id={id} project={project} />;
    case "agents":
      return <AgentScreen id={id} project={project} />;
    case "search":
      return <SearchScreen project={project} />;
    case "labels":
      return <LabelsScreen project={project} />;
    case "talk":
      return <TalkScreen project={project} agent={id} />;
    case "changes":
      return <ChangeScreen project={project} environment={id} />;
    case "audit":
      return <AuditScreen />;
    default:
      return <Trouble error={new Error(`There is no page "${screen}"`)} />;
  }
}

/** A screen that cannot be drawn says so; the others still work. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }
  render() {
    if (this.state.error === undefined) return this.props.children;
    return <Trouble error={this.state.error} again={() => this.setState({ error: undefined })} />;
  }
}
