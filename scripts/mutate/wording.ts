/** The part of a Babel path that is used here. */
interface Path {
  readonly node: { readonly type: string };
  readonly parentPath: Path | null;
  toString(): string;
}

/**
 * Skips the wording of hints and descriptions: a test of it could only repeat it. Strings elsewhere, such as prompts and
 * error messages, are mutated.
 */
export const WORDING = {
  shouldIgnore(path: Path): string | undefined {
    if (path.node.type !== "StringLiteral" && path.node.type !== "TemplateLiteral") return undefined;
    const isWording = /^(?:v\.description\(|hint: )/.test(path.parentPath?.toString() ?? "");
    return isWording ? "wording" : undefined;
  },
};
