// The drawn map: nodes and edges by sigma, disks, bundles and labels on canvases below and above them.
import { announce, h } from "../core/dom.js";
import { COLOURED, colour, dark, faded, token } from "../core/palette.js";
import { Sigma, UndirectedGraph } from "../vendor/graph.js";
import { drawLabels, forgetWidths, lines } from "./labels.js";

const MOST_BUNDLES = 240;
/** Pixels of the map's width for each of the best connected entities, which have their names before themes have their titles. */
const WIDTH_OF_LEADING = 80;
/** Where the title of a theme may be, in radii from the middle of its circle, the best first; of a small circle, whose title covers it. */
const SPOTS = [-0.62, -0.8, 0.8, 0.62, -0.4, 0.4, 0, -1, 1].flatMap((dy) => [0, -0.3, 0.3].map((dx) => [dx, dy]));
const NEAR = [[0, 0], [0, -0.6], [0, 0.6], [0, -1], [0, 1]];

/** Whether this browser can draw the map at all. */
export function canDraw() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl2"));
  } catch {
    return false;
  }
}

/**
 * Draws a MapModel into its element. Says by events what the reader does: "pick" with {node} or {community} (or neither),
 * "open" with {node}. `drawn` says what is on the canvas now, for tests and for screen readers.
 */
export class GraphMap extends EventTarget {
  constructor(model) {
    super();
    this.model = model;
    this.element = h("div", { class: "graph-map" });
    this.element.drawing = this;
    this.hovered = this.selected = -1;
    this.hoveredCommunity = this.selectedCommunity = -1;
    this.traced = null;
    this.passes = null;
    this.leastWeight = 0;
    this.letters = 1;
    this.focusEdges = [];
    this.drawn = { labels: [], nodes: 0, edges: 0 };
    this.readColours();
    addEventListener("schemechange", (this.onScheme = () => this.recolour()));
    this.media = matchMedia("(prefers-color-scheme: dark)");
    this.media.addEventListener("change", this.onScheme);
  }

  /** Starts drawing; the element must be in the document and have a size. */
  start() {
    this.graph = new UndirectedGraph();
    const { nodes } = this.model;
    for (let node = 0; node < nodes.id.length; node++) this.graph.addNode(node, { x: nodes.x[node], y: nodes.y[node], size: this.model.radius[node] });
    this.addEdges();
    this.sigma = new Sigma(this.graph, this.element, {
      allowInvalidContainer: true,
      itemSizesReference: "positions",
      zoomToSizeRatioFunction: (ratio) => ratio,
      renderLabels: false,
      minEdgeThickness: 1,
      hideEdgesOnMove: nodes.id.length > 2000,
      defaultDrawNodeHover: () => {},
      minCameraRatio: 0.004,
      maxCameraRatio: 2.5,
      stagePadding: 12,
      nodeReducer: (node, data) => this.reduceNode(Number(node), data),
      edgeReducer: (edge, data) => this.reduceEdge(edge, data),
    });
    const [x0, y0, x1, y1] = this.model.bounds;
    this.sigma.setCustomBBox({ x: [x0, x1], y: [y0, y1] });
    this.below = this.sigma.createCanvasContext("regions", { beforeLayer: "edges" }).getCanvases().regions.getContext("2d");
    this.above = this.sigma.createCanvasContext("titles", { beforeLayer: "mouse", style: { pointerEvents: "none" } }).getCanvases().titles.getContext("2d");
    this.sigma.on("afterRender", () => {
      this.drawRegions();
      this.drawTitles();
    });
    this.listen();
    this.sigma.resize(true);
    this.sigma.refresh();
    this.watcher = new ResizeObserver(() => {
      this.letters = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      this.sigma.resize();
    });
    this.watcher.observe(this.element);
    const arrived = () => (forgetWidths(), this.sigma?.scheduleRender());
    document.fonts?.load(`600 16px ${this.fonts.serif}`).then(arrived, arrived);
  }

  stop() {
    removeEventListener("schemechange", this.onScheme);
    this.media.removeEventListener("change", this.onScheme);
    this.watcher?.disconnect();
    this.sigma?.kill();
    this.sigma = null;
    this.element.remove();
  }

  readColours() {
    this.colours = Array.from({ length: COLOURED + 1 }, (_, rank) => colour(rank));
    this.inks = { ink: token("ink"), soft: token("ink-2"), paper: token("paper"), accent: token("accent"), line: token("ink-3") };
    this.dimmed = this.colours.map((one) => blend(one, this.inks.paper, dark() ? 0.78 : 0.82));
    this.edgeColour = blend(this.inks.line, this.inks.paper, dark() ? 0.66 : 0.72);
    this.fonts = { serif: token("serif"), sans: token("sans") };
  }

  recolour() {
    this.readColours();
    this.refresh();
  }

  refresh() {
    this.sigma?.refresh({ skipIndexation: true });
  }

  addEdges() {
    const { source = [], target = [], weight = [] } = this.model.edges;
    source.forEach((from, edge) => this.addEdge(from, target[edge], weight[edge]));
  }

  addEdge(from, to, weight) {
    if (from === to || this.graph.hasEdge(from, to)) return null;
    return this.graph.addEdge(from, to, { size: 1, weight });
  }

  /** The width of a line in units of the map, so that it has `pixels` at the present scale, whatever its weight is. */
  width(weight, pixels) {
    return (pixels * Math.min(2.2, 0.7 + 0.3 * Math.log1p(weight))) / (this.edgeScale ?? (this.sigma ? this.scale : 1));
  }

  /** The pixels that one unit of the map takes. */
  get scale() {
    const a = this.sigma.graphToViewport({ x: 0, y: 0 });
    const b = this.sigma.graphToViewport({ x: 1, y: 0 });
    return Math.hypot(b.x - a.x, b.y - a.y);
  }

  /** The nodes that are lit now: what is selected, hovered or traced, with its neighbours; null when nothing is. */
  get lit() {
    return this.litNow;
  }

  light() {
    const chosen = this.hovered >= 0 && this.selected < 0 ? this.hovered : this.selected;
    this.litNow = null;
    if (chosen >= 0) this.litNow = new Set([chosen, ...this.neighboursOf(chosen)]);
    else if (this.traced) this.litNow = this.traced.nodes;
    else if (this.selectedCommunity >= 0) this.litNow = new Set(this.model.members(this.selectedCommunity));
    this.litCentre = chosen;
    this.refresh();
  }

  neighboursOf(node) {
    if (this.model.hasAllEdges) return this.model.neighbours(node).filter(([, weight]) => weight >= this.leastWeight).map(([other]) => other);
    return this.graph.neighbors(node).map(Number);
  }

  reduceNode(node, data) {
    const rank = Math.min(this.model.rankOfNode(node), COLOURED);
    const passes = !this.passes || this.passes(node);
    const lit = this.litNow?.has(node);
    if (!passes && !lit) return { ...data, hidden: true };
    if (this.smallest && data.size < this.smallest && !lit) return { ...data, hidden: true };
    const out = this.litNow && !lit;
    return { ...data, color: out ? this.dimmed[rank] : this.colours[rank], zIndex: lit ? 1 : 0, highlighted: false };
  }

  reduceEdge(edge, data) {
    if (data.weight < this.leastWeight) return { ...data, hidden: true };
    const [a, b] = this.graph.extremities(edge).map(Number);
    if (this.passes && !(this.passes(a) && this.passes(b))) return { ...data, hidden: true };
    if (!this.litNow) return { ...data, color: this.edgeColour, size: this.width(data.weight, 0.9) };
    const touches = this.litCentre >= 0 ? a === this.litCentre || b === this.litCentre : this.litNow.has(a) && this.litNow.has(b);
    if (!touches) return { ...data, hidden: true };
    return { ...data, color: blend(this.colours[Math.min(this.model.rankOfNode(a), COLOURED)], this.inks.paper, 0.25), size: this.width(data.weight, 1.5) };
  }

  /** Disks of the communities and, where single edges would be too many, the bundles between them. */
  drawRegions() {
    const context = this.below;
    const { width, height } = this.sigma.getDimensions();
    context.clearRect(0, 0, width, height);
    const { communities } = this.model;
    const scale = this.scale;
    const disk = (index) => {
      const { x, y } = this.sigma.graphToViewport({ x: communities.x[index], y: communities.y[index] });
      const r = communities.r[index] * scale;
      return { x, y, r, seen: x + r > 0 && y + r > 0 && x - r < width && y - r < height && r > 1.5 };
    };
    const night = dark();
    for (const index of this.model.tops) {
      const { x, y, r, seen } = disk(index);
      if (!seen) continue;
      const hue = this.colours[Math.min(this.model.rankOf(index), COLOURED)];
      circle(context, x, y, r);
      context.fillStyle = faded(hue, night ? 0.1 : 0.085);
      context.fill();
    }
    if (!this.model.edges.source?.length) this.drawBundles(context, disk, scale);
    for (const index of this.model.shown) {
      const { x, y, r, seen } = disk(index);
      if (!seen || r < 4) continue;
      const chosen = index === this.selectedCommunity || index === this.hoveredCommunity;
      const traced = this.traced?.communities.has(index);
      const hue = this.colours[Math.min(this.model.rankOf(index), COLOURED)];
      circle(context, x, y, r);
      context.lineWidth = chosen || traced ? 2 : 1;
      context.strokeStyle = faded(hue, chosen || traced ? 0.95 : 0.32);
      context.stroke();
    }
  }

  drawBundles(context, disk) {
    const { source = [], target = [], weight = [] } = this.model.bundles;
    this.heaviest ??= weight.map((_, bundle) => bundle).sort((a, b) => weight[b] - weight[a]);
    const top = Math.log1p(weight[this.heaviest[0]] ?? 1);
    let drawn = 0;
    for (const bundle of this.heaviest) {
      if (drawn >= MOST_BUNDLES || weight[bundle] < this.leastWeight) break;
      const [a, b] = [disk(source[bundle]), disk(target[bundle])];
      if (!a.seen || !b.seen) continue;
      drawn++;
      const strength = Math.log1p(weight[bundle]) / top;
      const touched = [this.selectedCommunity, this.hoveredCommunity].some((one) => one >= 0 && (one === source[bundle] || one === target[bundle]));
      const [mx, my] = [(a.x + b.x) / 2 - (b.y - a.y) * 0.12, (a.y + b.y) / 2 + (b.x - a.x) * 0.12];
      context.beginPath();
      context.moveTo(a.x, a.y);
      context.quadraticCurveTo(mx, my, b.x, b.y);
      context.lineWidth = 0.5 + 2.6 * strength ** 2;
      context.strokeStyle = faded(touched ? this.inks.accent : this.inks.line, touched ? 0.8 : 0.06 + 0.24 * strength ** 2);
      context.stroke();
    }
    this.drawn.bundles = drawn;
  }

  drawTitles() {
    const context = this.above;
    const { width, height } = this.sigma.getDimensions();
    context.clearRect(0, 0, width, height);
    const scale = this.scale;
    const named = this.nodeLabels(scale, width, height);
    const leading = Math.max(4, Math.round(width / WIDTH_OF_LEADING));
    const candidates = [...this.chosenLabels(scale), ...named.slice(0, leading), ...this.communityLabels(scale, width, height), ...named.slice(leading)];
    const dots = named.map(({ x, y, r }) => ({ x, y, r }));
    this.drawRings(context, scale);
    const labels = drawLabels(context, candidates, { width, height, halo: faded(this.inks.paper, 0.88), blocked: this.blocked(), dots, scale: this.letters }, width < 500 ? 40 : 110);
    this.drawn = { ...this.drawn, labels, width, height, nodes: this.model.nodes.id.length - (this.hiddenSmall ?? 0), edges: this.graph.size };
    this.hideSmall(scale);
    if (document.documentElement.dataset.ready === "map") return;
    document.documentElement.dataset.ready = "map";
    requestAnimationFrame(() => performance.mark("map-drawn"));
  }

  /** Boxes of the controls that lie over the map, where a label could not be read. */
  blocked() {
    const own = this.element.getBoundingClientRect();
    const above = this.element.parentElement?.querySelectorAll("[data-over-map]") ?? [];
    return [...above].map((one) => one.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x: x - own.x, y: y - own.y, width, height }));
  }

  /** A ring around what is selected or under the pointer. */
  drawRings(context, scale) {
    for (const node of new Set([this.selected, this.hovered])) {
      if (node < 0) continue;
      const { x, y } = this.point(node);
      circle(context, x, y, Math.max(this.model.radius[node] * scale, 3) + 3);
      context.lineWidth = 2.5;
      context.strokeStyle = this.inks.ink;
      context.stroke();
    }
    for (const node of this.traced?.ordered ?? []) {
      const { x, y } = this.point(node);
      circle(context, x, y, Math.max(this.model.radius[node] * scale, 3) + 3);
      context.lineWidth = 2;
      context.strokeStyle = this.inks.accent;
      context.stroke();
    }
  }

  point(node) {
    return this.sigma.graphToViewport({ x: this.model.nodes.x[node], y: this.model.nodes.y[node] });
  }

  chosenLabels(scale) {
    const chosen = [...new Set([this.hovered, this.selected])].filter((node) => node >= 0);
    return chosen.map((node) => ({ ...this.nodeLabel(node, scale), must: true, size: 14, weight: 650 }));
  }

  communityLabels(scale, width, height) {
    const { communities } = this.model;
    const limit = Math.min(width, height) * 0.62;
    const found = [];
    for (const index of this.model.shown) {
      const r = communities.r[index] * scale;
      if (r < 24 || r > limit) continue;
      const { x, y } = this.sigma.graphToViewport({ x: communities.x[index], y: communities.y[index] });
      if (x < 0 || y < 0 || x > width || y > height) continue;
      const size = Math.round(Math.max(11.5, Math.min(19, 8 + r / 14)));
      const spots = (r > 70 ? SPOTS : NEAR).map(([dx, dy]) => [x + dx * r, y + dy * r]);
      found.push({ lines: lines(communities.title[index], r < 60 ? 4 : 3, r < 60 ? 13 : 20), x, y, spots, size, font: this.fonts.serif, weight: 600, colour: this.inks.ink, must: false });
    }
    return found;
  }

  nodeLabels(scale, width, height) {
    const { x: xs, y: ys } = this.model.nodes;
    const size = this.model.radius;
    const found = [];
    for (const node of this.model.byRank) {
      if (found.length >= 420) break;
      const lit = this.litNow?.has(node);
      if (node === this.selected || node === this.hovered || (this.litNow && !lit)) continue;
      if (this.passes && !this.passes(node)) continue;
      if (!lit && size[node] * scale < 2.6) continue;
      const { x, y } = this.sigma.graphToViewport({ x: xs[node], y: ys[node] });
      if (x < 0 || y < 0 || x > width || y > height) continue;
      found.push(this.nodeLabel(node, scale));
    }
    return found;
  }

  nodeLabel(node, scale) {
    const { x, y } = this.point(node);
    const r = this.model.radius[node] * scale;
    const name = this.model.nodes.name[node];
    return { lines: [name.length > 40 ? `${name.slice(0, 39)}…` : name], x, y, r: Math.max(r, 2), gap: Math.max(r, 2) + 4, size: r > 9 ? 13 : 11.5, font: this.fonts.sans, weight: r > 9 ? 550 : 450, colour: r > 5 ? this.inks.ink : this.inks.soft };
  }

  /** Nodes with less than a pixel are left out until the reader comes closer; lines keep their width in pixels. */
  hideSmall(scale) {
    const smallest = 0.5 / scale;
    const size = this.model.radius;
    let small = 0;
    for (let node = 0; node < size.length; node++) if (size[node] < smallest) small++;
    const wider = this.graph.size > 0 && Math.abs(Math.log2(scale / (this.edgeScale ?? scale * 9))) > 0.25;
    if (small === (this.hiddenSmall ?? 0) && !wider) return;
    this.hiddenSmall = small;
    this.smallest = smallest;
    if (wider) this.edgeScale = scale;
    if (size.length > 3000) clearTimeout(this.settling);
    else if (this.settling) return;
    this.settling = setTimeout(() => {
      this.settling = null;
      this.edgeScale = this.sigma ? this.scale : undefined;
      this.refresh();
    }, 50);
  }

  listen() {
    const { sigma } = this;
    sigma.on("enterNode", ({ node }) => this.hover(Number(node)));
    sigma.on("leaveNode", () => this.hover(-1));
    sigma.on("clickNode", ({ node }) => this.emit("pick", { node: Number(node) }));
    sigma.on("doubleClickNode", ({ node, preventSigmaDefault }) => {
      preventSigmaDefault();
      this.emit("open", { node: Number(node) });
    });
    sigma.on("clickStage", ({ event }) => {
      const { x, y } = sigma.viewportToGraph(event);
      const community = this.model.at(x, y);
      this.emit("pick", community >= 0 && community !== this.selectedCommunity ? { community } : {});
    });
    sigma.on("moveBody", ({ event }) => {
      const { x, y } = sigma.viewportToGraph(event);
      const community = this.hovered >= 0 ? -1 : this.model.at(x, y);
      if (community !== this.hoveredCommunity) {
        this.hoveredCommunity = community;
        this.element.classList.toggle("over", community >= 0 || this.hovered >= 0);
        sigma.scheduleRender();
      }
    });
  }

  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  hover(node) {
    this.hovered = node;
    this.element.classList.toggle("over", node >= 0);
    if (this.selected < 0 && this.model.hasAllEdges) this.light();
    else this.sigma.scheduleRender();
  }

  /** Selects a node, or none; `edges` are pairs of [other node, weight] where the map has no edges of its own. */
  select(node, edges = []) {
    for (const edge of this.focusEdges) this.graph.dropEdge(edge);
    this.focusEdges = [];
    if (!this.model.edges.source?.length) for (const [other, weight] of edges) this.focusEdges.push(this.addEdge(node, other, weight));
    this.focusEdges = this.focusEdges.filter((edge) => edge !== null);
    this.selected = node;
    if (node >= 0) this.selectedCommunity = -1;
    this.light();
  }

  selectCommunity(community) {
    this.selectedCommunity = community;
    this.select(-1);
  }

  /** Lights the way of an answer: entities and communities that it looked at. */
  trace(entities, communities) {
    const ordered = entities.map((id) => this.model.nodeIndex.get(String(id))).filter((node) => node !== undefined);
    const areas = new Set(communities.map((id) => this.model.communityIndex.get(String(id))).filter((one) => one !== undefined));
    const inside = ordered.length ? [] : [...areas].flatMap((community) => this.model.members(community));
    this.traced = ordered.length || areas.size ? { ordered: ordered.slice(-60), nodes: new Set([...ordered, ...inside]), communities: areas } : null;
    this.light();
  }

  filter(passes, leastWeight = 0) {
    this.passes = passes;
    this.leastWeight = leastWeight;
    this.light();
  }

  /** Shows the same nodes with the communities of another level. */
  setModel(model) {
    this.model = model;
    this.heaviest = undefined;
    this.hoveredCommunity = this.selectedCommunity = -1;
    this.light();
  }

  zoom(factor) {
    const camera = this.sigma.getCamera();
    camera.animate({ ratio: Math.min(2.5, Math.max(0.004, camera.ratio / factor)) }, this.motion(180));
  }

  pan(dx, dy) {
    const { width, height } = this.sigma.getDimensions();
    const from = this.sigma.viewportToFramedGraph({ x: 0, y: 0 });
    const to = this.sigma.viewportToFramedGraph({ x: dx * width, y: dy * height });
    const camera = this.sigma.getCamera();
    camera.animate({ x: camera.x + to.x - from.x, y: camera.y + to.y - from.y }, this.motion(120));
  }

  whole() {
    this.sigma.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }, this.motion(300));
  }

  /** Brings a disk of the map into the middle, so that it fills the share of the shorter side. */
  approach(x, y, r, share = 0.7) {
    const { width, height } = this.sigma.getDimensions();
    const centre = this.sigma.viewportToFramedGraph(this.sigma.graphToViewport({ x, y }));
    const camera = this.sigma.getCamera();
    const ratio = Math.min(2, Math.max(0.004, (camera.ratio * 2 * r * this.scale) / (share * Math.min(width, height))));
    camera.animate({ x: centre.x, y: centre.y, ratio }, this.motion(400));
  }

  approachNode(node) {
    const { x, y } = this.model.nodes;
    const size = this.model.radius;
    const around = this.neighboursOf(node).map((other) => Math.hypot(x[other] - x[node], y[other] - y[node])).sort((a, b) => a - b);
    const reach = around[Math.floor(around.length * 0.7)] ?? size[node] * 12;
    this.approach(x[node], y[node], Math.max(reach, size[node] * 8));
  }

  approachCommunity(community) {
    const { x, y, r } = this.model.communities;
    this.approach(x[community], y[community], r[community]);
  }

  say(node) {
    announce(`${this.model.nodes.name[node]}, ${this.model.typeOf(node)}, ${this.model.nodes.degree[node]} relationships`);
  }

  motion(duration) {
    return { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : duration };
  }
}

function circle(context, x, y, r) {
  context.beginPath();
  context.arc(x, y, Math.max(r, 0.5), 0, 2 * Math.PI);
}

/** `share` of the way from one #rrggbb to another. */
function blend(from, to, share) {
  const part = (hex, at) => parseInt(hex.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(part(from, at) * (1 - share) + part(to, at) * share));
  return `#${mixed.map((one) => one.toString(16).padStart(2, "0")).join("")}`;
}
