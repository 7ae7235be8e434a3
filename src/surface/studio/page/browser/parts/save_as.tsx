const FORMATS = [
  ["html", "HTML report, one file"],
  ["csv", "CSV"],
  ["jsonl", "JSON lines"],
] as const;

/** A menu of the files that a run or a comparison can be saved as. */
export function SaveAs({ address }: { readonly address: (format: "html" | "csv" | "jsonl") => string }) {
  return (
    <details class="menu">
      <summary class="button">Save as</summary>
      <ul>
        {FORMATS.map(([format, words]) => (
          <li key={format}>
            <a href={address(format)} download>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
