/**
 * Makes an element. Text is always text: nothing here becomes markup.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes]
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, children = []) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}
