import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { readExport } from "../../../src/base/files/mod.ts";

const folder = mkdtempSync(join(tmpdir(), "callweave-packed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** Writes a file, or a folder of files, and returns its path. */
function write(content: Uint8Array | { readonly [path: string]: string }): string {
  count += 1;
  const path = join(folder, String(count));
  if (content instanceof Uint8Array) writeFileSync(path, content);
  else
    for (const [name, text] of Object.entries(content)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
  return path;
}

const zip = (files: { readonly [path: string]: string }) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

/** A workbook with one sheet: the parts that every reader needs. */
function workbook(rows: readonly (readonly string[])[]): Uint8Array {
  const cells = (row: readonly string[], number: number) =>
    row.map((text, at) => {
      const place = `${"ABCDEFGH"[at]}${number}`;
      return /^\d+$/.test(text)
        ? `<c r="${place}"><v>${text}</v></c>`
        : `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
    });
  const sheet = rows.map((row, at) => `<row r="${at + 1}">${cells(row, at + 1).join("")}</row>`).join("");
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  return zip({
    "[Content_Types].xml": `<Types xmlns="${packages}/content-types"/>`,
    "_rels/.rels": `<Relationships xmlns="${packages}/relationships"/>`,
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  });
}

const FILES = { "agent.json": '\uFEFF{"a":1}', "flows/A b/A b.json": "[2]", "readme.md": "no" };
const READ = { files: { "agent.json": { a: 1 }, "flows/A b/A b.json": [2] } };

test("a folder and an archive of the same files are the same", async () => {
  const path = write({ ...FILES, "node_modules/x.json": "{}", ".git/y.json": "broken" });
  assert.deepEqual(await readExport(path), READ);
  assert.deepEqual(await readExport(write(zip(FILES))), READ);
});

test("a workbook is its sheets", async () => {
  const path = write(
    workbook([
      ["type", "name"],
      ["integer", "age"],
      ["7", "x"],
    ]),
  );
  assert.deepEqual(await readExport(path), {
    sheets: {
      survey: [
        ["type", "name"],
        ["integer", "age"],
        [7, "x"],
      ],
    },
  });
});

test("other files, and folders of other things, are left to others", async () => {
  const texts = ['{"nodes":{}}', "", "PK"].map((text) => strToU8(text));
  const folders: readonly { readonly [path: string]: string }[] = [{ "readme.md": "x" }, { "flow.json": "{}" }];
  for (const content of [...texts, ...folders]) assert.equal(await readExport(write(content)), undefined);
  assert.equal(await readExport(join(folder, "absent")), undefined);
});

test("what is broken says where", async () => {
  await assert.rejects(readExport(write({ "agent.json": "{" })), {
    code: "invalid-json",
    message: /its file "agent.json"/,
  });
  await assert.rejects(readExport(write(zip({ "b.json": "{" }))), {
    code: "invalid-json",
    message: /its file "b.json"/,
  });
  const whole = zip({ "a.json": JSON.stringify("x".repeat(2_000)) });
  for (const length of [4, 30, whole.length - 30])
    await assert.rejects(readExport(write(whole.slice(0, length))), { code: "unreadable-file", message: /broken/ });
  await assert.rejects(readExport(write(zip({ "xl/workbook.xml": "<" }))), { code: "unreadable-file" });
});

test("an archive that would fill the memory is refused before it is unpacked", async () => {
  const bomb = zipSync({ "a.json": new Uint8Array(101 * 2 ** 20) }, { level: 1 });
  assert.ok(bomb.length < 2 ** 22);
  await assert.rejects(readExport(write(bomb)), { code: "unreadable-file", message: /more than 100 MiB/ });
  // one that lies about its size is not unpacked beyond it
  const lying = zipSync({ "a.json": new Uint8Array(5 * 2 ** 20) });
  const view = new DataView(lying.buffer);
  const directory = lying.length - 22 - (46 + "a.json".length);
  assert.equal(view.getUint32(directory + 24, true), 5 * 2 ** 20);
  view.setUint32(directory + 24, 10, true);
  await assert.rejects(readExport(write(lying)), { code: /unreadable-file|invalid-json/ });
});

test("links are not followed", async () => {
  const path = write({ "x/agent.json": "1" });
  symlinkSync(path, join(path, "loop"));
  symlinkSync("/etc", join(path, "etc"));
  assert.deepEqual(await readExport(path), { files: { "x/agent.json": 1 } });
});
