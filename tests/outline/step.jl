function step!(x, n)
    @inbounds for i in 1:n
        x[i] += 1
    end
    x
end
