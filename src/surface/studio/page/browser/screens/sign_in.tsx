import { useState } from "preact/hooks";
import { Trouble } from "../parts/mod.ts";
import { session, studio } from "../state/mod.ts";

/** Asks for a token. */
export function SignInScreen() {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const token = new FormData(event.currentTarget).get("token");
    setBusy(true);
    try {
      session.value = await studio.signIn({ token: String(token).trim() });
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>callweave studio</h1>
        <label>
          Your token
          <input name="token" type="password" autocomplete="current-password" required />
        </label>
        <button type="submit" class="main" disabled={isBusy}>
          Sign in
        </button>
        {error !== undefined && <Trouble error={error} />}
        <p class="quiet">
          Whoever runs the studio makes tokens with <code>callweave studio token</code>.
        </p>
      </form>
    </main>
  );
}
