// The list of projects: each link has the token with it, in the part of an address that a browser never sends.
import { withToken } from "./core/api.js";

for (const link of document.querySelectorAll("a.project")) link.href = withToken(link.href);
