// Says in the bar which part is being read.

/** Marks the entry of the part that is at the top of the window. */
export function startNavigation(): void {
  const links = new Map<Element, HTMLAnchorElement>();
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".top nav a")) {
    const target = document.getElementById(link.hash.slice(1));
    if (target) links.set(target, link);
  }
  const seen = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting) seen.add(entry.target);
        else seen.delete(entry.target);
      }
      const current = [...links.keys()].find((target) => seen.has(target));
      for (const [target, link] of links) {
        if (target === current) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-20% 0px -70% 0px" },
  );
  for (const target of links.keys()) observer.observe(target);
}
