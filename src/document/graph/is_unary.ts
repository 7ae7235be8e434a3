/** Whether an operator of equations compares with nothing: `exists` and `not_exist` have no right side. */
export function isUnary(operator: string): boolean {
  return operator === "exists" || operator === "not_exist";
}
