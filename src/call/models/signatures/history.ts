import * as v from "valibot";

/** The lines of a call, oldest first. */
export const history = v.array(v.object({ role: v.picklist(["user", "assistant", "tool"]), content: v.string() }));
