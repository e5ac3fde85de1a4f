SELECT * FROM node_loads ORDER BY node
