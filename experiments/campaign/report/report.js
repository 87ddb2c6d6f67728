// @ts-check
// The page can be read without this script: it sorts tables, filters, enlarges pictures
// that are embedded, and puts small ones into the contents.
{
/** @type {(what: string, within?: ParentNode) => HTMLElement[]} */
const all = (what, within = document) => [...within.querySelectorAll(what)].filter(e => e instanceof HTMLElement)

for (const a of all('nav ul a')) {
	const image = document.getElementById(a.getAttribute('href')?.slice(1) ?? '')?.querySelector('img')?.cloneNode()
	if (!(image instanceof HTMLImageElement)) continue
	image.alt = ''
	a.prepend(image)
}

/** Sorts the table of a head by its column; empty fields stay at the end. @param {HTMLTableCellElement} head */
function sort(head) {
	const body = head.closest('table')?.tBodies[0]
	if (!body) return
	const down = head.ariaSort === 'ascending', numeric = head.classList.contains('n')
	for (const other of all('[aria-sort]', head.parentNode ?? document)) other.removeAttribute('aria-sort')
	head.setAttribute('aria-sort', down ? 'descending' : 'ascending')
	const rows = [...body.rows].map(row => ({ row, text: row.cells[head.cellIndex].textContent ?? '' }))
	rows.sort((a, b) => {
		if (a.text === '' || b.text === '') return +(a.text === '') - +(b.text === '')
		const order = numeric ? parseFloat(a.text.replace('−', '-')) - parseFloat(b.text.replace('−', '-')) : a.text.localeCompare(b.text, 'en', { numeric: true })
		return down ? -order : order
	})
	body.append(...rows.map(r => r.row))
}

document.addEventListener('click', e => {
	const button = e.target instanceof Element ? e.target.closest('button') : null
	const head = button?.closest('th')
	if (head) sort(head)
	if (button?.classList.contains('zoom')) button.closest('figure')?.classList.toggle('big')
})

const box = /** @type {HTMLInputElement} */ (document.getElementById('filter'))

/** Shows the figures and tables in which, or in whose sweep's heading, each word is. */
function filter() {
	const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
	let found = 0, of = 0
	for (const sweep of all('.sweep')) {
		const about = all('.about', sweep)[0].textContent ?? ''
		/** @param {string | null} text */
		const fits = text => words.every(word => (about + ' ' + text).toLowerCase().includes(word))
		const whole = fits('')
		let some = whole
		for (const item of all('figure, .table', sweep)) {
			item.hidden = !whole && !fits(item.textContent)
			some ||= !item.hidden
			of++
			if (!item.hidden) found++
		}
		sweep.hidden = !some
	}
	for (const a of all('nav a')) {
		const target = document.getElementById(a.getAttribute('href')?.slice(1) ?? '')
		if (a.parentElement) a.parentElement.hidden = !!target?.closest('[hidden]')
	}
	const output = document.getElementById('found')
	if (output) output.textContent = words.length ? found + ' of ' + of + ' figures and tables' : ''
}
box.addEventListener('input', filter)

document.addEventListener('keydown', e => {
	if (e.key === '/' && document.activeElement !== box) {
		e.preventDefault()
		box.focus()
	} else if (e.key === 'Escape' && document.activeElement === box) {
		box.value = ''
		filter()
	}
})
}
