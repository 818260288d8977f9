// The list of projects: each link has the token with it, that to a page in the part of an address that a browser never sends.
import { withToken } from "./core/api.js";

for (const link of document.querySelectorAll("a.project")) link.href = withToken(link.href);
for (const link of document.querySelectorAll("a.reports")) link.href = withToken(link.href, "?");
