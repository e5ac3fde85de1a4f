SELECT * FROM node_packages ORDER BY node, package
