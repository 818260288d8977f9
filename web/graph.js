// The only names that the page takes from others: a graph in memory and its drawing by WebGL.
export { UndirectedGraph } from "graphology";
export { default as Sigma } from "sigma";
