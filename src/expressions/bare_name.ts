/** A variable's name as an equation gives it, with or without braces: `plan` of `plan` and of `{{ plan }}`. */
export function bareName(side: string): string {
  return /^\{\{([^{}]*)\}\}$/.exec(side.trim())?.[1]?.trim() ?? side;
}
