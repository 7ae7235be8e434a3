/** Position constraints of a box: its row in order, and the minimum distance between centres of neighbours. */
export interface Rows {
  readonly rows: readonly (readonly number[])[];
  readonly apart: (left: number, right: number) => number;
}

const ROUNDS = 4;

/**
 * Aligns the bends of each link vertically where neighbours leave room, so that long links are straight. Boxes do not
 * move.
 */
export function straighten(
  x: readonly number[],
  chains: readonly (readonly number[])[],
  { rows, apart }: Rows,
): number[] {
  const moved = [...x];
  const left = new Map<number, number>();
  const right = new Map<number, number>();
  for (const row of rows)
    for (const [index, box] of row.entries()) {
      const next = row[index + 1];
      if (next === undefined) continue;
      right.set(box, next);
      left.set(next, box);
    }
  const roomOf = (box: number) => {
    const [before, after] = [left.get(box), right.get(box)];
    return {
      from: before === undefined ? apart(box, box) / 2 : (moved[before] ?? 0) + apart(before, box),
      to: after === undefined ? Number.POSITIVE_INFINITY : (moved[after] ?? 0) - apart(box, after),
    };
  };
  for (let round = 0; round < ROUNDS; round++)
    for (const chain of chains) {
      let run: number[] = [];
      let room = { from: 0, to: Number.POSITIVE_INFINITY };
      const settle = () => {
        const mean = run.reduce((sum, box) => sum + (moved[box] ?? 0), 0) / run.length;
        for (const box of run) moved[box] = Math.min(room.to, Math.max(room.from, mean));
      };
      for (const box of chain) {
        const own = roomOf(box);
        const both = { from: Math.max(room.from, own.from), to: Math.min(room.to, own.to) };
        if (run.length > 0 && both.from > both.to) {
          settle();
          [run, room] = [[box], own];
        } else [run, room] = [[...run, box], both];
      }
      if (run.length > 0) settle();
    }
  return moved;
}
