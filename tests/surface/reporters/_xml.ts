import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { validateXML } from "xmllint-wasm";

/** An element of an XML document. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Text between its tags, with the markup of its children left out. */
  readonly text: string;
}

/** The elements of an XML document, in order of their start tags; throws for what is not well-formed. */
export function readXml(xml: string): readonly Element[] {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, "");
  assert.notEqual(body, xml, "no XML declaration");
  const elements: { name: string; attributes: Map<string, string>; text: string }[] = [];
  const open: typeof elements = [];
  for (const [token] of body.matchAll(/<[^>]*>|[^<]+|</g)) {
    const tag = /^<(\/?)([a-z-]+)((?: [a-z-]+="[^"<]*")*)(\/?)>$/.exec(token);
    if (!tag) {
      assert.ok(!/[<]|&(?!(?:lt|gt|amp|quot|#\d+);)/.test(token), `not well-formed: ${token}`);
      assert.ok(
        !/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(token),
        `not a character of XML: ${token}`,
      );
      for (const each of open) each.text += token;
      continue;
    }
    const [, closing, name = "", list = "", empty] = tag;
    if (closing) assert.equal(open.pop()?.name, name);
    else {
      const pairs = [...list.matchAll(/ ([a-z-]+)="([^"]*)"/g)].map(
        ([, key = "", value = ""]) => [key, value] as const,
      );
      for (const [, value] of pairs) assert.ok(!/[\n\t]|&(?!(?:lt|gt|amp|quot|#\d+);)/.test(value), value);
      const element = { name, attributes: new Map(pairs), text: "" };
      elements.push(element);
      if (!empty) open.push(element);
    }
  }
  assert.deepEqual(open, []);
  return elements;
}

/** The schema of the reports of Apache Ant, which CI systems took over. */
export const ANT_SCHEMA = readFileSync(
  createRequire(import.meta.url).resolve("jest-junit-reporter/src/__tests__/fixtures/junit.xsd"),
  "utf8",
);

/**
 * The rules of `junit-10.xsd`, by which Jenkins' xUnit plugin checks reports, as far as Callweave's elements are
 * concerned. No package has that file, so this is written from it: the elements, their order and their attributes.
 */
export const JENKINS_SCHEMA = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:simpleType name="seconds">
    <xs:restriction base="xs:string"><xs:pattern value="[0-9]*(\\.[0-9]*)?"/></xs:restriction>
  </xs:simpleType>
  <xs:complexType name="problem" mixed="true">
    <xs:attribute name="type" type="xs:string"/>
    <xs:attribute name="message" type="xs:string"/>
  </xs:complexType>
  <xs:element name="testsuites">
    <xs:complexType>
      <xs:sequence><xs:element ref="testsuite" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
      <xs:attribute name="name" type="xs:string"/>
      <xs:attribute name="time" type="seconds"/>
      <xs:attribute name="tests" type="xs:string"/>
      <xs:attribute name="failures" type="xs:string"/>
      <xs:attribute name="errors" type="xs:string"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="testsuite">
    <xs:complexType>
      <xs:choice minOccurs="0" maxOccurs="unbounded">
        <xs:element name="properties">
          <xs:complexType>
            <xs:sequence>
              <xs:element name="property" minOccurs="0" maxOccurs="unbounded">
                <xs:complexType>
                  <xs:attribute name="name" type="xs:string" use="required"/>
                  <xs:attribute name="value" type="xs:string" use="required"/>
                </xs:complexType>
              </xs:element>
            </xs:sequence>
          </xs:complexType>
        </xs:element>
        <xs:element name="testcase">
          <xs:complexType>
            <xs:choice minOccurs="0" maxOccurs="unbounded">
              <xs:element name="skipped" type="problem"/>
              <xs:element name="error" type="problem"/>
              <xs:element name="failure" type="problem"/>
              <xs:element name="system-out" type="xs:string"/>
              <xs:element name="system-err" type="xs:string"/>
            </xs:choice>
            <xs:attribute name="name" type="xs:string" use="required"/>
            <xs:attribute name="time" type="xs:string"/>
            <xs:attribute name="classname" type="xs:string"/>
            <xs:attribute name="group" type="xs:string"/>
          </xs:complexType>
        </xs:element>
        <xs:element name="system-out" type="xs:string"/>
        <xs:element name="system-err" type="xs:string"/>
      </xs:choice>
      <xs:attribute name="name" type="xs:string" use="required"/>
      <xs:attribute name="tests" type="xs:string" use="required"/>
      <xs:attribute name="failures" type="xs:string" use="required"/>
      <xs:attribute name="errors" type="xs:string" use="required"/>
      <xs:attribute name="group" type="xs:string"/>
      <xs:attribute name="time" type="seconds"/>
      <xs:attribute name="skipped" type="xs:string"/>
      <xs:attribute name="timestamp" type="xs:string"/>
      <xs:attribute name="hostname" type="xs:string"/>
      <xs:attribute name="id" type="xs:string"/>
      <xs:attribute name="package" type="xs:string"/>
      <xs:attribute name="file" type="xs:string"/>
      <xs:attribute name="log" type="xs:string"/>
      <xs:attribute name="url" type="xs:string"/>
    </xs:complexType>
  </xs:element>
</xs:schema>`;

/** What libxml2 finds wrong in documents by a schema. */
export async function schemaProblems(schema: string, ...xml: readonly string[]): Promise<readonly string[]> {
  const files = xml.map((contents, index) => ({ fileName: `report${index}.xml`, contents }));
  const { errors } = await validateXML({ xml: files, schema: [schema] });
  return errors.map(({ message }) => message);
}
