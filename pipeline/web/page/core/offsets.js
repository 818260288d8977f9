// Offsets of the tables count characters (code points); JavaScript counts UTF-16 units. These are the way across.

/** Returns a function from characters to units of `text`. */
export function unitsOf(text) {
  const wide = [];
  for (let unit = 0; unit < text.length; unit++) {
    const code = text.charCodeAt(unit);
    if (code >= 0xd800 && code < 0xdc00 && unit + 1 < text.length) wide.push(unit++ - wide.length);
  }
  if (!wide.length) return (character) => character;
  return (character) => {
    let low = 0;
    let high = wide.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (wide[middle] < character) low = middle + 1;
      else high = middle;
    }
    return character + low;
  };
}
