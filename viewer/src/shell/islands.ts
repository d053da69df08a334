// Parts of the page that the viewer makes live. What stood there before stays for printing.

import { type ComponentChild, render } from "preact";

/** Makes every island of a kind live; with `late`, when it comes near the window. */
export function islands(
  kind: string,
  make: (element: HTMLElement) => ComponentChild,
  late = false,
): void {
  const all = document.querySelectorAll<HTMLElement>(`[data-island="${kind}"]`);
  const start = (element: HTMLElement) => {
    const content = make(element);
    if (content === null) return;
    for (const child of element.children) child.classList.add("still");
    const place = document.createElement("div");
    place.className = "live";
    element.append(place);
    element.classList.add("enhanced");
    render(content, place);
  };
  if (!late) {
    all.forEach(start);
    return;
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((entry) => entry.isIntersecting)) {
        observer.unobserve(entry.target);
        start(entry.target as HTMLElement);
      }
    },
    { rootMargin: "600px 0px" },
  );
  all.forEach((element) => observer.observe(element));
}
