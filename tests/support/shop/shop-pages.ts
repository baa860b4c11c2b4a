/** The texts that the shop serves: a page like any shop's, whose script asks an API for what it shows. */

export const PRODUCTS = [
  { slug: 'arc-lamp', name: 'Arc lamp', price: 189, stock: 12 },
  { slug: 'oak-stool', name: 'Oak stool', price: 74, stock: 31 },
  { slug: 'wool-throw', name: 'Wool throw', price: 96, stock: 8 },
  { slug: 'stone-bowl', name: 'Stone bowl', price: 48, stock: 0 },
  { slug: 'linen-set', name: 'Linen set', price: 132, stock: 17 },
  { slug: 'wall-clock', name: 'Wall clock', price: 59, stock: 44 },
];

export interface Addresses {
  shop: string;
  api: string;
  images: string;
  /** Where nobody listens. */
  metrics: string;
}

export function page(title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title} - Northlight</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/shop.81d2.css">
<script src="/assets/vendor.c07a.js" defer></script>
<script src="/assets/shop.5be1.js" defer></script>
</head>
<body>
<header><a href="/">Northlight</a><nav><a href="/lamps">Lamps</a><a href="/textiles">Textiles</a></nav></header>
<main><h1>${title}</h1><section id="products"></section></main>
</body>
</html>
`;
}

/** A style sheet or script of about this many bytes, with plausible contents. */
export function filler(kind: 'css' | 'js', bytes: number): string {
  const line = (index: number) =>
    kind === 'css'
      ? `.card-${index} { display: grid; gap: ${index % 24}px; color: hsl(${(index * 37) % 360} 40% 40%); }\n`
      : `export function part${index}(state) { return { ...state, step: ${index}, ready: state.queue.length > ` +
        `${index % 9} }; }\n`;
  let text = '';
  for (let index = 0; text.length < bytes; index += 1) text += line(index);
  return kind === 'js' ? text.replaceAll('export ', '') : text;
}

/** What runs in the page: it loads what a visitor would, some of it one after the other. */
export function script({ api, images, metrics }: Addresses): string {
  return `
const json = (path, options) => fetch('${api}' + path, options).then((response) => response.json()).catch(() => null);
const show = (product) => {
  const image = new Image(280, 200);
  image.src = '${images}/products/' + product.slug + '.png';
  document.getElementById('products').append(image);
};
const watchStock = () => {
  const stream = new EventSource('${api}/v1/stock/stream');
  stream.addEventListener('end', () => stream.close());
};
window.addEventListener('DOMContentLoaded', async () => {
  await json('/v1/session');
  const { items } = await json('/v1/products?limit=6&sort=popular');
  items.slice(0, 4).forEach(show);
  watchStock();
  json('/v1/recommendations?for=visitor-4821');
  fetch('${metrics}/collect', { method: 'POST', body: 'view=home' }).catch(() => {});
});
window.buy = async (slug) => {
  await json('/v1/products/' + slug);
  await json('/v1/cart/items', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ slug, quantity: 1, note: 'Gift, please wrap it' }),
  });
  await fetch('/sale');
  await json('/v1/search?q=lamp');
  await json('/v1/checkout', { method: 'POST', body: JSON.stringify({ cart: 'c-9917', pay: 'invoice' }) });
};
`;
}
