// The map's columns with the questions that the page puts to them: colours, members, what lies under a point.
import { COLOURED, colour } from "../core/palette.js";

const LARGEST = 0.94; // radius of the best connected node
const SHARE = 0.02; // of the whole map, that no radius is more than: of a few entities each would hide the next

/** Radii in units of the map, where neighbours lie about one apart: most nodes are small, the best connected stand out. */
function radii(sizes, [x0, y0, x1, y1]) {
  const most = sizes.reduce((high, size) => Math.max(high, size), 1);
  const least = sizes.reduce((low, size) => Math.min(low, size), most);
  const fits = Math.min(1, (SHARE * Math.max(x1 - x0, y1 - y0)) / LARGEST);
  return sizes.map((size) => fits * (0.24 + (LARGEST - 0.24) * ((size - least) / (most - least || 1)) ** 1.4));
}

export class MapModel {
  /**
   * `reply` is the server's map of one level: columns of nodes, communities of all levels, edges, bundles. The top
   * communities of the themes named get the first colours, then the largest of the others.
   */
  constructor(reply, themes = []) {
    Object.assign(this, { level: reply.level, levels: reply.levels, bounds: reply.bounds, nodes: reply.nodes, communities: reply.communities });
    this.edges = reply.edges ?? {};
    this.bundles = reply.bundles ?? {};
    this.index();
    this.communityIndex = new Map(this.communities.id.map((id, index) => [String(id), index]));
    this.radius = radii(this.nodes.size, this.bounds);
    this.byRank = this.nodes.id.map((_, index) => index).sort((a, b) => this.nodes.degree[b] - this.nodes.degree[a] || this.nodes.size[b] - this.nodes.size[a] || a - b);
    this.tops = this.levelOf(0).sort((a, b) => this.communities.size[b] - this.communities.size[a] || a - b);
    this.topOf = this.communities.parent.map((_, index) => this.climb(index));
    const named = themes.map((theme) => this.topOf[this.communityIndex.get(String(theme.community))]).filter((top) => top !== undefined);
    this.tops = [...new Set([...named, ...this.tops])];
    this.colourRank = new Map(this.tops.map((community, rank) => [community, rank]));
    this.hasAllEdges = (this.edges.source?.length ?? 0) > 0 || this.nodes.id.length <= 2000;
  }

  index() {
    this.nodeIndex = new Map(this.nodes.id.flatMap((id, index) => (id === "" ? [] : [[String(id), index]])));
  }

  /** Whether every entity has its name; where not, those that are drawn first do. */
  get isNamed() {
    return this.nodeIndex.size === this.nodes.id.length;
  }

  /** Gives all entities their ids and names. */
  giveNames({ id, name }) {
    Object.assign(this.nodes, { id, name });
    this.index();
  }

  levelOf(level) {
    return this.communities.level.flatMap((one, index) => (one === level ? [index] : []));
  }

  /** The communities drawn at this level: those of the level, and leaves above it that have no children. */
  get shown() {
    this.shownNow ??= [...new Set(this.nodes.leaf)].filter((index) => index >= 0).sort((a, b) => this.communities.r[b] - this.communities.r[a]);
    return this.shownNow;
  }

  climb(index) {
    let at = index;
    for (let step = 0; step < 50 && this.communities.parent[at] >= 0; step++) at = this.communities.parent[at];
    return at;
  }

  /** The colour number of a community, by the size of the top community that it belongs to. */
  rankOf(community) {
    return this.colourRank.get(this.topOf[community] ?? -1) ?? COLOURED;
  }

  colourOfCommunity(id) {
    const index = this.communityIndex.get(String(id));
    return colour(index === undefined ? -1 : this.rankOf(index));
  }

  rankOfNode(node) {
    const community = this.nodes.community[node];
    return community >= 0 ? this.rankOf(community) : COLOURED;
  }

  typeOf(node) {
    return this.nodes.types[this.nodes.type[node]];
  }

  /** Whether a node belongs to a community of any level. */
  within(node, community) {
    for (let at = this.nodes.leaf[node]; at >= 0; at = this.communities.parent[at]) if (at === community) return true;
    if (this.nodes.community[node] === community) return true;
    const { x, y, r } = this.communities;
    const [dx, dy] = [this.nodes.x[node] - x[community], this.nodes.y[node] - y[community]];
    return this.communities.level[community] > this.level && dx * dx + dy * dy <= r[community] ** 2;
  }

  members(community) {
    return this.byRank.filter((node) => this.within(node, community));
  }

  /** Neighbours of a node among the edges that the map has: pairs of [node, weight], heaviest first. */
  neighbours(node) {
    if (!this.adjacent) {
      this.adjacent = this.nodes.id.map(() => []);
      const { source = [], target = [], weight = [] } = this.edges;
      source.forEach((from, edge) => {
        this.adjacent[from].push([target[edge], weight[edge]]);
        this.adjacent[target[edge]].push([from, weight[edge]]);
      });
      for (const pairs of this.adjacent) pairs.sort((a, b) => b[1] - a[1]);
    }
    return this.adjacent[node];
  }

  /** The smallest community drawn that a point of the map lies in, or -1. */
  at(x, y) {
    let found = -1;
    const { x: xs, y: ys, r } = this.communities;
    for (const index of this.shown) {
      const inside = (xs[index] - x) ** 2 + (ys[index] - y) ** 2 <= r[index] ** 2;
      if (inside && (found < 0 || r[index] < r[found])) found = index;
    }
    return found;
  }
}
