/** Removes braces around a variable's name: `plan` for `plan` and `{{ plan }}`. */
export function bareName(side: string): string {
  return /^\{\{([^{}]*)\}\}$/.exec(side.trim())?.[1]?.trim() ?? side;
}
