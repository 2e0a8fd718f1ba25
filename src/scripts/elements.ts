export interface Attributes {
  [name: string]: string
}

export function setAttributes(of: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) of.setAttribute(name, value)
}

export function element(tag: string, attributes: Attributes, ...content: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  setAttributes(made, attributes)
  made.append(...content)
  return made
}
