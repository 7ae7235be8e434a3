/** The part of a Babel path that is looked at here. */
interface Path {
  readonly node: { readonly type: string };
  readonly parentPath: Path | null;
  toString(): string;
}

/**
 * Leaves the wording of hints and descriptions alone: a test of it could only repeat it. Strings elsewhere, prompts and
 * the messages of errors among them, are mutated.
 */
export const WORDING = {
  shouldIgnore(path: Path): string | undefined {
    if (path.node.type !== "StringLiteral" && path.node.type !== "TemplateLiteral") return undefined;
    const isWording = /^(?:v\.description\(|hint: )/.test(path.parentPath?.toString() ?? "");
    return isWording ? "wording" : undefined;
  },
};
