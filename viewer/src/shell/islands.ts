// Parts of the page that the viewer makes live. What stands there before stays for printing.

import { type ComponentChild, render } from "preact";

/** What an island becomes; null if it stays as it is. */
type Make = (element: HTMLElement) => ComponentChild;

/** Makes every island of a kind live. */
export function islands(kind: string, make: Make): void {
  for (const element of all(kind)) start(element, make);
}

/** Makes the first island of a kind live that is seen at once, and others when they come near. */
export function lateIslands(kind: string, make: Make): void {
  const [first, ...others] = all(kind);
  const near = (element: HTMLElement) => element.getBoundingClientRect().top < innerHeight;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((entry) => entry.isIntersecting)) {
        observer.unobserve(entry.target);
        start(entry.target as HTMLElement, make);
      }
    },
    { rootMargin: "500px 0px" },
  );
  if (first && near(first)) start(first, make);
  else if (first) others.unshift(first);
  for (const element of others) observer.observe(element);
}

function all(kind: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-island="${kind}"]`)];
}

function start(element: HTMLElement, make: Make): void {
  const content = make(element);
  if (content === null) {
    element.classList.add("as-is");
    return;
  }
  const place = document.createElement("div");
  place.className = "live";
  element.append(place);
  render(content, place);
}
