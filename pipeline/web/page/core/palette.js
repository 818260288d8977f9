// Colours of the top themes, and the colours of the style sheet for what is drawn on a canvas.

const HUES = [200, 35, 145, 310, 85, 255, 10, 170, 335, 60, 280, 115];
/** Hues in degrees of OKLCH, ordered so that neighbours in the list are far apart. */
export const COLOURED = HUES.length;

export const dark = () => {
  const chosen = document.documentElement.dataset.scheme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/** Colour number `index` as #rrggbb; beyond the last hue a grey. */
export function colour(index) {
  const night = dark();
  if (index < 0 || index >= COLOURED) return night ? "#7d7a74" : "#9a958a";
  return oklch(night ? 0.76 : 0.56, night ? 0.115 : 0.125, HUES[index]);
}

/** The same colour with an opacity, for a canvas. */
export function faded(hex, alpha) {
  return `${hex}${Math.round(alpha * 255).toString(16).padStart(2, "0")}`;
}

export const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** OKLCH to sRGB, by the matrices of Björn Ottosson's Oklab. */
function oklch(lightness, chroma, degrees) {
  const angle = (degrees * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${linear.map(channel).join("")}`;
}

function channel(linear) {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, value)) * 255).toString(16).padStart(2, "0");
}
