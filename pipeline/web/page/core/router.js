// The address after # says what is shown: #/view/argument?key=value.

/** Reads the address into {view, argument, query}. */
export function route() {
  const [place, ...queries] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "", ...rest] = place.split("/");
  let argument = rest.join("/");
  try {
    argument = decodeURIComponent(argument);
  } catch {
    argument = "";
  }
  return { view: view || "map", argument, query: Object.fromEntries(new URLSearchParams(queries.join("?"))) };
}

export const go = (address) => {
  location.hash = address;
};

/** Whether a server answers: a file that was sent to somebody shows what it holds, and nothing can be asked. */
export const live = () => !("static" in document.documentElement.dataset);

/** Changes the address without a step in the history. */
export const replace = (address) => {
  history.replaceState(null, "", address);
};
