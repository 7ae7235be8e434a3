/**
 * Parses a drawn picture. As XML, not as HTML: nothing in it can become another element of the page.
 *
 * @throws {Error} If it is not SVG.
 */
export function parsePicture(text: string): SVGSVGElement {
  const { documentElement } = new DOMParser().parseFromString(text, "image/svg+xml");
  if (!(documentElement instanceof SVGSVGElement)) throw new Error("the picture is not SVG");
  return document.importNode(documentElement, true);
}
