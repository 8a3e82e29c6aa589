/** A name in an address, "/fischer-robert-j", as the service writes it; it redirects to its own where they differ. */
export default (name) => {
    const words = (name ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(/[a-z0-9]+/g);
    return words ? `/${words.join('-')}` : '';
};
